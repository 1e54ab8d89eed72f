"""The reckoning of a game in a real browser: by day and night, on a phone, without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Reckoning
from tests.browser.everybody import obstacles
from tests.history.archive import people, stored_game
from tests.reckoning.invented import reckoning_of

LOOKS = "e => [getComputedStyle(e).fill, e.getBBox().height > 100]"
SIDEWAYS = """[...document.querySelectorAll(".scroll, table")]
    .filter(each => each.scrollWidth > each.clientWidth + 1).length"""
FITS = "html => html.scrollWidth <= innerWidth"


def test_from_the_table_through_the_moments_of_a_game(open_as: Callable[..., Page]) -> None:
    game = stored_game(people("yasmin", "omar", "wei"), seed=2)
    reckoning_of(game, blunder=22, state="first")
    page = open_as(None, game.get_absolute_url())
    page.get_by_role("link", name="Analysis").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    Reckoning.objects.update(state="done", due_at=None)
    # The page asks by itself and shows what is new.
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("heading", name="Before move 22")).to_be_visible()
    expect(page.locator(".preview.advised")).to_have_count(1)
    page.get_by_text("Alternatives").click()
    expect(page.get_by_role("row", name=re.compile("best"))).to_be_visible()
    page.locator(".tap-move").nth(40).click()
    expect(page.get_by_role("heading", name="Before move 41")).to_be_visible()
    assert obstacles(page) == []
    for width in (320, 360, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("html").evaluate(FITS), width


def test_the_best_flight_is_drawn_beside_the_one_that_was_played(
    open_as: Callable[..., Page],
) -> None:
    game = stored_game(people("yasmin", "omar"), seed=4, ruleset="ifrito")
    number = 1 + next(
        place for place, move in enumerate(game.moves.order_by("number")) if "-" in move.action
    )
    reckoning_of(game, blunder=number)
    page = open_as(None, reverse("reckoning", args=[game.public_id]) + f"?move={number}")
    expect(page.locator(".board .hinted").first).to_be_visible()
    assert obstacles(page) == []
    # All of the chart can be tapped, and what is tapped does not hide it.
    page.locator(".tap-move").nth(20).click()
    expect(page.get_by_role("heading", name="Before move 21")).to_be_visible()
    assert page.locator(".tap-move").first.evaluate(LOOKS) == ["rgba(0, 0, 0, 0)", True]
    for width in (320, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("html").evaluate(FITS), width


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_table_of_it_scrolls_sideways(open_as: Callable[..., Page], language: str) -> None:
    players = people("yasmin", "omar", "wei", "aleksandra-konstantinopolska")
    game = stored_game(players, seed=2)
    reckoning_of(game, blunder=22)
    spoken = {"extra_http_headers": {"Accept-Language": language}}
    page = open_as(None, reverse("reckoning", args=[game.public_id]), **spoken)
    for width in (360, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("html").evaluate(FITS), width
        assert page.evaluate(SIDEWAYS) == 0, width


def test_without_javascript(open_as: Callable[..., Page]) -> None:
    game = stored_game(people("yasmin", "omar"), seed=2)
    reckoning_of(game)
    address = reverse("reckoning", args=[game.public_id])
    page = open_as(None, f"{address}?move=7", java_script_enabled=False)
    page.get_by_role("link", name="Forward").click()
    expect(page.get_by_role("heading", name="Before move 8")).to_be_visible()


def test_a_mistake_is_tried_again_on_the_board(open_as: Callable[..., Page]) -> None:
    game = stored_game(people("yasmin", "omar", "wei"), seed=2)
    reckoning_of(game, blunder=22)
    own = game.seats.get(number=game.moves.get(number=22).seat)
    page = open_as(own.player, reverse("reckoning", args=[game.public_id]))
    page.get_by_role("link", name="Try my mistakes again").click()
    expect(page.locator("#question")).to_contain_text("Mistake 1 of 1")
    assert obstacles(page) == []
    page.locator(".places .choice").first.click()
    expect(page.locator("#question")).to_contain_text("Best:")
    assert obstacles(page) == []
