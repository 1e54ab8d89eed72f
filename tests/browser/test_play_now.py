"""From the first page to a first move against a bot, as somebody without account meets it."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games import bots as brain_module
from games.models import Game, Player
from games.services import bots
from tests.browser.everybody import obstacles
from tests.browser.playing import PHONE, OpenAs, decide
from tests.browser.test_accounts import PASSWORD, confirm
from tests.people import NOON, actor, new_players, started_game, sweep


@pytest.fixture(autouse=True)
def _brains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing to compile here: the first legal action will do."""
    monkeypatch.setattr(brain_module, "ready", lambda: True)
    monkeypatch.setattr(brain_module, "choose", lambda level, seen, seed: seen["legal"][0])
    monkeypatch.setattr(
        brain_module, "advice", lambda seen, seed: brain_module.Advice(seen["legal"][0], 0.8)
    )


@pytest.fixture(autouse=True)
def _kept_mail(settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "games.kept_mail.folder.EmailBackend"
    settings.MAIL_KEPT_IN = tmp_path / "mail"


def fine(page: Page) -> None:
    assert obstacles(page) == [], page.url
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert page.locator("html").evaluate("html => html.scrollWidth") <= width, page.url


def bots_play() -> None:
    """What the workers of bots do."""
    bots.play_due(clock=timezone.now)


def press_play(page: Page, button: str = "Play now") -> Game:
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url("**/g/*/")
    return Game.objects.get()


def test_from_the_first_page_to_a_move_and_an_answer(open_as: OpenAs) -> None:
    page = open_as(path="/", **PHONE)
    fine(page)
    game = press_play(page)
    bots_play()
    expect(page.get_by_role("heading", name="Which way should Assam go?")).to_be_visible()
    expect(page.get_by_role("note")).to_contain_text("turn 1 of 3")
    fine(page)
    decide(page, game)
    decide(page, game)
    expect(page.get_by_role("heading", name="Waiting for Apprentice")).to_be_visible()
    fine(page)
    bots_play()
    expect(page.get_by_role("heading", name="Which way should Assam go?")).to_be_visible()


def test_the_games_are_there_after_signing_up(open_as: OpenAs) -> None:
    page = open_as(path="/play/", viewport={"width": 320, "height": 640})
    fine(page)
    page.get_by_label("2 bots").check()
    page.get_by_label(re.compile(r"^\s*Vizier")).check()
    game = press_play(page, "Play")
    page.goto("/")
    expect(page.get_by_text("You play as a guest")).to_be_visible()
    fine(page)
    page.get_by_role("link", name="Sign up and keep them").click()
    page.get_by_label("Name").fill("Omar")
    page.get_by_label("E-mail address").fill("omar@souk.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    confirm(page)
    page.goto("/")
    expect(page.locator(f'main a[href="/g/{game.public_id}/"]')).to_be_visible()
    assert Player.objects.get(username="Omar") == game.creator


@pytest.mark.parametrize("scripts", [True, False])
def test_asking_the_vizier(open_as: OpenAs, scripts: bool) -> None:
    page = open_as(path="/", java_script_enabled=scripts)
    press_play(page)
    bots_play()
    page.reload()
    page.get_by_role("button", name="What would the Vizier do?").click()
    expect(page.get_by_text("The Vizier is thinking")).to_be_visible()
    bots_play()
    if not scripts:
        page.get_by_role("link", name="Look again").click()
        page.reload()
    expect(page.get_by_text("The Vizier would turn Assam to the left.")).to_be_visible()
    assert Game.objects.get().to_act_kind == "turn", "asking is not moving"


def ask_the_vizier(page: Page) -> None:
    """The answer comes while something else is chosen already."""
    page.get_by_role("button", name="What would the Vizier do?").click()
    expect(page.get_by_text("The Vizier is thinking")).to_be_visible()
    bots_play()
    expect(page.get_by_text("The Vizier would")).to_be_visible()


def test_a_hint_marks_the_board_and_leaves_the_rug_that_was_chosen(open_as: OpenAs) -> None:
    page = open_as(path="/")
    game = press_play(page)
    bots_play()
    page.reload()
    decide(page, game)
    advised = page.locator("a.spot").first.get_attribute("data-choose") or ""
    page.locator("a.spot").last.click()
    chosen = page.locator("#confirm").get_attribute("value") or ""
    ask_the_vizier(page)
    expect(page.locator(".preview.advised")).to_have_count(1)
    expect(page.locator(".preview.shown")).to_have_attribute("data-place", chosen)
    expect(page.locator("#confirm")).to_have_attribute("value", chosen)
    assert chosen not in advised


def test_a_hint_marks_the_planes_and_leaves_the_carpet_that_was_chosen(open_as: OpenAs) -> None:
    page = open_as(path="/play/?game=ifrito")
    game = press_play(page, "Play")
    while actor(game).player != game.creator:
        bots_play()
    page.reload()
    page.locator("#cell-Ue5").click()
    page.locator("#cushion-C").click()
    expect(page.locator("#confirm")).to_have_attribute("value", "enter:Ue5@C")
    ask_the_vizier(page)
    expect(page.locator(".hinted")).to_have_count(1)
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator("#confirm")).to_have_attribute("value", "enter:Ue5@C")
    page.get_by_role("link", name="Undo").click()
    expect(page.locator(".hinted")).to_have_count(1)


def test_taking_a_seat_back(open_as: OpenAs) -> None:
    game = started_game(new_players(2), on_timeout=Game.OnTimeout.BOT)
    assert game.to_act
    late = game.to_act.player
    sweep(NOON + timedelta(days=3))
    other = game.seats.exclude(player=late).get().player
    watching = open_as(other, f"/g/{game.public_id}/", **PHONE)
    expect(watching.get_by_text("plays on.").first).to_be_visible()
    fine(watching)
    page = open_as(late, f"/g/{game.public_id}/", **PHONE)
    fine(page)
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_role("heading", name="Which way should Assam go?")).to_be_visible()
    expect(watching.get_by_text("is back at the table.")).to_be_visible()
    assert not game.seats.exclude(stand_in=None).exists()
