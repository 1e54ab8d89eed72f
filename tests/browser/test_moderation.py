"""Somebody of the staff, without superuser rights, does in Chromium all that moderators do."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Act
from games.services import table_talk
from games.services.notices import trust
from tests.browser.everybody import obstacles
from tests.moderation.staff import new_moderator
from tests.people import new_players, started_game

OpenAs = Callable[..., Page]


def act(page: Page, key: str, **fields: str) -> None:
    """Open the form of an act, give the reason and whatever else it asks for, and send it."""
    card = page.locator(f"#{key}")
    card.locator("summary").click()
    for name, value in fields.items():
        field = card.locator(f"[name={name}]")
        if field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)
    card.locator("[name=reason]").fill(f"Because of {key}.")
    card.get_by_role("button").click()
    expect(page.get_by_role("status").first).to_contain_text("Done, noted")


def test_every_act_leaves_its_trace(open_as: OpenAs) -> None:
    now = timezone.now()
    zahra = new_moderator()
    assert not zahra.is_superuser
    players = new_players(3)
    yasmin, omar, ileana = players
    game, other = (started_game(players, now=now) for _ in range(2))
    table_talk.post_message(game=game, player=omar, text="you camel", now=now)
    trust.give_up(address=ileana.email, reason="550 5.1.1", now=now)

    theirs = open_as(yasmin, game.get_absolute_url())
    theirs.get_by_role("link", name="Report this message").click()
    theirs.get_by_label("What is wrong?").fill("Nobody is a camel.")
    theirs.get_by_role("main").get_by_role("button", name="Report").click()
    expect(theirs.get_by_role("status").first).to_contain_text("A moderator will look at it")
    expect(theirs.locator("#chat-lines")).to_contain_text("you camel")

    page = open_as(zahra, "/moderation/")
    expect(page.get_by_role("main")).to_contain_text("Nobody is a camel.")
    assert obstacles(page) == []
    page.get_by_role("link", name="Hide this message").click()
    act(page, "hide")
    expect(page.get_by_role("main")).to_contain_text("Nobody has reported anything.")

    page.goto(game.get_absolute_url())
    page.get_by_role("link", name="Moderate…").click()
    expect(page).to_have_url(re.compile(f"/moderation/games/{game.public_id}/$"))
    act(page, "time", hours="72")
    act(page, "remove", player="Omar")
    act(page, "annul")
    page.goto(f"/moderation/games/{other.public_id}/")
    assert obstacles(page) == []
    act(page, "award", player="Yasmin")

    page.goto(omar.get_absolute_url())
    page.get_by_role("link", name="Moderate…").click()
    act(page, "warn")
    act(page, "mute", days="7")
    act(page, "unmute")
    act(page, "suspend", days="")
    act(page, "reinstate")
    page.goto(f"/moderation/players/{ileana.username}/")
    act(page, "trust")
    page.goto(f"/moderation/players/{omar.username}/")
    act(page, "rename", name="Amal")
    page.goto("/moderation/")
    done = {each.kind: each for each in Act.objects.all()}
    assert set(done) == set(Act.Kind.values)
    for kind, made in done.items():
        assert (made.actor, made.reason) == (zahra, f"Because of {kind}.")
        expect(page.locator("#log")).to_contain_text(f"Because of {kind}.")

    theirs.goto(game.get_absolute_url())
    expect(theirs.locator("#question")).to_contain_text("This game was annulled")
    expect(theirs.get_by_role("main")).not_to_contain_text("you camel")
    expect(theirs.get_by_role("main")).to_contain_text("Because of remove.")
    assert obstacles(theirs) == []
    theirs.goto("/moderation/")
    expect(theirs.get_by_role("main")).to_contain_text("There is nothing here")
