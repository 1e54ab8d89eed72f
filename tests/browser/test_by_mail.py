"""A whole turn from a mail, by somebody who is not signed in, on a phone."""

from __future__ import annotations

from django.utils import timezone
from playwright.sync_api import expect

from games.services.notices import links
from tests.browser.everybody import obstacles
from tests.browser.playing import PHONE, OpenAs
from tests.people import actor, new_players, started_game


def test_a_turn_is_played_from_the_mail_by_the_numbers_in_the_picture(open_as: OpenAs) -> None:
    game = started_game(new_players(2), now=timezone.now())
    seat = actor(game)
    page = open_as(None, links.path_of_decision(seat, game), **PHONE)
    ways = page.locator(".places .choice")
    for place, way in enumerate(("Left", "Straight", "Right")):
        expect(ways.nth(place)).to_contain_text(way)
    assert obstacles(page) == []
    ways.nth(1).click()
    expect(page.locator(".told")).to_contain_text("You went straight on, rolled")
    expect(page.locator(".die")).to_be_visible()
    expect(page.locator(".trail")).to_be_attached()
    assert obstacles(page) == []
    page.get_by_role("button", name="2: Lay the rug").click()
    expect(page.locator(".preview.shown")).to_be_visible()
    game.refresh_from_db()
    assert game.move_count == 1, "a number shows its place, and asks"
    page.locator("#confirm").click()
    expect(page.get_by_role("heading", name="Played")).to_be_visible()
    expect(page.get_by_role("link", name=f"Sign in as {seat.player}")).to_be_visible()
    assert page.locator("html").evaluate("html => html.scrollWidth") <= 360
    game.refresh_from_db()
    assert game.move_count == 2
