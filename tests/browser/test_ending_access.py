"""Signing out everywhere, as a person with a browser does it, without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.models import Device, Webhook
from games.services.notices.links import path_of_decision
from tests.people import NOON, actor, new_player, started_game

OpenAs = Callable[..., Page]


def test_signing_out_everywhere_ends_old_links_and_asks_about_webhooks(open_as: OpenAs) -> None:
    yasmin = new_player("Yasmin")
    game = started_game([yasmin, new_player("Omar")])
    seat = actor(game)
    player, link = seat.player, path_of_decision(seat, game)
    Device.objects.create(player=player, endpoint="https://push.example/1", made_at=NOON)
    for name in ("one", "two"):
        Webhook.objects.create(
            owner=player, url=f"https://{name}.example/", format="slack", secret="s", made_at=NOON
        )
    page = open_as(player, "/accounts/sessions/", java_script_enabled=False)
    page.get_by_role("main").get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Sign out everywhere", exact=True).click()
    expect(page.get_by_text("You are signed out on all devices.")).to_be_visible()
    assert not Device.objects.exists()
    assert Webhook.objects.count() == 1

    page.goto(link)
    expect(page.get_by_text("This link is no longer valid")).to_be_visible()
    page.goto("/accounts/login/")
    page.get_by_label("Name or e-mail address").fill(player.username)
    page.get_by_label("Password", exact=True).fill("open-sesame-42")
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(re.compile("/settings/notices/#webhooks-in-question$"))
    page.get_by_role("checkbox", name="Slack").check()
    page.get_by_role("button", name="Delete the selected, keep the others").click()
    expect(page.get_by_text("Keep these webhooks?")).to_have_count(0)
    assert not Webhook.objects.exists()
