"""The past in a real browser: gallery, filters, a game afterwards, explorer, comparison, a year."""

from __future__ import annotations

import re
from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Page, expect

from games.models import Player
from games.services import openings
from tests.browser.everybody import obstacles
from tests.browser.playing import OpenAs
from tests.history.archive import given_up, people, stored_game
from tests.people import NOON

LAST_YEAR = NOON.replace(year=2025)
SCREENS = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1200, "height": 900}}


@pytest.fixture
def season(monkeypatch: pytest.MonkeyPatch) -> list[Player]:
    monkeypatch.setattr(openings, "LEAST", 2)
    players = people("yasmin", "omar", "wei")
    for number in range(6):
        stored_game(
            players[: 2 + number % 2],
            ruleset="marrakech" if number % 3 else "ifrito",
            seed=number,
            ended_at=LAST_YEAR + timedelta(days=20 * number),
        )
    return players


def fits(page: Page) -> None:
    """Nothing sticks out at the side; and nobody is kept out, which is the same on a phone."""
    page.wait_for_load_state()
    assert page.locator("html").evaluate("html => html.scrollWidth <= innerWidth")
    if page.viewport_size == SCREENS["desk"]:
        assert obstacles(page) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_an_evening_with_the_past(screen: str, season: list[Player], open_as: OpenAs) -> None:
    page = open_as(season[0], "/archive/", viewport=SCREENS[screen], reduced_motion="reduce")
    expect(page.locator(".exhibit")).to_have_count(6)
    first = page.locator(".exhibit img").first
    first.scroll_into_view_if_needed()
    expect(first).not_to_have_js_property("naturalWidth", 0)
    fits(page)
    page.get_by_role("group", name="Game").get_by_role("link", name="Ifrito").click()
    expect(page.locator(".exhibit")).to_have_count(2)
    page.get_by_role("group", name="Order").get_by_role("link", name="Longest").click()
    page.get_by_role("link", name="List").click()
    expect(page.locator("table.archive tbody tr")).to_have_count(2)
    fits(page)
    page.goto("/archive/")
    expect(page.locator("table.archive tbody tr")).to_have_count(6)
    page.get_by_role("link", name="Gallery").click()
    if screen == "phone":
        page.get_by_text("More filters").click()
    page.get_by_role("combobox", name="Player").press_sequentially("om")
    expect(page.locator("#names option[value=omar]")).to_have_count(1)
    page.get_by_role("combobox", name="Player").fill("wei")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".exhibit")).to_have_count(3)

    page.locator(".exhibit h2 a").first.click()
    with page.expect_navigation():  # a pointer is noticed once the scripts are there
        page.get_by_role("link", name="How it went").click()
    chart = page.locator(".legible svg").first
    chart.hover(position={"x": 60, "y": 20})
    expect(page.locator(".legible .step").first).to_be_visible()
    before = page.locator(".legible .step").first.inner_text()
    chart.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".legible .step").first).to_have_text(str(int(before) + 1))
    page.get_by_text("As a table").first.click()
    expect(page.locator(".legible table").first).to_be_visible()
    fits(page)

    page.goto("/numbers/")
    fits(page)
    page.get_by_role("link", name="Openings").first.click()
    page.get_by_role("group", name="Players").get_by_role("link", name="3").click()
    page.locator(".explorer .ways-on a").first.click()
    expect(page.locator(".way-here li")).to_have_count(2)
    expect(page.locator(".explorer svg.board")).to_be_visible()
    fits(page)
    page.goto("/numbers/marrakech/")
    fits(page)

    page.goto("/players/yasmin/")
    curve = page.locator("figure.legible").first
    curve.locator("svg").hover()
    expect(curve.locator(".step")).to_have_text(re.compile(r"2025 · 1\d\d\d$"))
    curve.get_by_text("As a table").click()
    expect(curve.locator("tbody tr").first).to_be_visible()
    fits(page)
    page.get_by_role("link", name="How they play").click()
    expect(page.locator("table.heat").first).to_be_visible()
    fits(page)
    page.get_by_role("link", name="When they play").click()
    expect(page.locator("svg.calendar")).to_be_visible()
    fits(page)
    page.get_by_role("link", name="Opponents").click()
    page.get_by_role("link", name="Last met").click()
    fits(page)
    page.get_by_role("link", name="Side by side").first.click()
    expect(page.get_by_role("heading", name="Together")).to_be_visible()
    fits(page)

    page.goto("/players/yasmin/2025/")
    expect(page.locator(".recap-picture")).to_have_js_property("naturalWidth", 1200)
    fits(page)
    stranger = open_as(season[1], "/players/yasmin/2025/")
    expect(stranger.get_by_text("There is nothing here")).to_be_visible()
    page.get_by_role("button", name="Share", exact=True).click()
    stranger.reload()
    expect(stranger.get_by_role("heading", name="2025 in carpets")).to_be_visible()


def test_pictures_are_dark_by_night(open_as: OpenAs) -> None:
    """One of each game, with little on it but the board."""
    players = people("yasmin", "omar")
    given_up(*players)
    stored_game(players, ruleset="ifrito")
    page = open_as(None, "/archive/")
    pictures = page.locator(".exhibit img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        picture.evaluate("image => image.decode()")
        page.emulate_media(color_scheme="light")
        by_day = brightness(picture.screenshot())
        page.emulate_media(color_scheme="dark")
        assert brightness(picture.screenshot()) < by_day / 2


def brightness(picture: bytes) -> float:
    return float(ImageStat.Stat(Image.open(BytesIO(picture)).convert("L")).mean[0])
