"""From a preset to a table of two: the address is copied, the other one joins with one press."""

from __future__ import annotations

from playwright.sync_api import expect

from games.models import Game
from tests.browser.everybody import obstacles
from tests.browser.playing import PHONE, OpenAs
from tests.people import new_players


def test_a_friend_comes_by_the_address_that_was_copied(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    hers = open_as(
        yasmin, "/games/new/", **PHONE, permissions=["clipboard-read", "clipboard-write"]
    )
    assert obstacles(hers) == []
    hers.get_by_role("button", name="With friends, by link").click()
    hers.wait_for_url("**/g/*/")
    game = Game.objects.get()
    hers.get_by_role("button", name="Copy").click()
    expect(hers.get_by_role("button", name="Copied")).to_be_visible()
    address = hers.evaluate("navigator.clipboard.readText()")
    assert address.endswith(f"/g/{game.public_id}/join/")
    expect(hers.get_by_role("img", name="The address as a picture")).to_be_visible()
    assert obstacles(hers) == []

    his = open_as(omar, address, java_script_enabled=False, viewport={"width": 320, "height": 640})
    assert his.locator("html").evaluate("html => html.scrollWidth") <= 320
    expect(his.get_by_text(game.commitment)).to_be_hidden()
    his.get_by_role("button", name="Join").click()
    expect(his.locator("#board svg").first).to_be_visible()
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_the_first_button_plays_without_scripts_too(open_as: OpenAs) -> None:
    page = open_as(None, "/", java_script_enabled=False, reduced_motion="reduce")
    expect(page.locator(".loop > .board").last).to_have_css("opacity", "1")
    expect(page.locator(".loop > .board").first).to_have_css("opacity", "0")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#question h1")).to_be_visible()
    assert Game.objects.get().creator.is_guest
