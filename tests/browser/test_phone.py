"""On a phone the board, the question and its buttons stand on one screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Player
from games.services import play
from tests.browser.playing import PHONE, OpenAs, choose, decide, play_as_by_hand
from tests.people import NOON, new_player, new_players, started_game, whose_turn

NARROW: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}


def assert_in_sight(page: Page, *selectors: str) -> None:
    """Wholly on the screen, with nothing scrolled, and not wider than it."""
    viewport = page.viewport_size
    assert viewport
    assert page.evaluate("scrollY") == 0
    for selector in selectors:
        for part in page.locator(selector).all():
            box = part.bounding_box()
            assert box, selector
            assert box["y"] >= 0, selector
            assert box["y"] + box["height"] <= viewport["height"], selector
            assert box["x"] >= 0, selector
            assert box["x"] + box["width"] <= viewport["width"], selector
    assert_not_wider(page)


def assert_not_wider(page: Page) -> None:
    width = page.locator("html").evaluate("html => html.scrollWidth - innerWidth")
    assert width <= 0


def a_game_of(players: list[Player], **wishes: Any) -> Game:
    """With much to read: long names, many rugs, other games that wait."""
    started_game(players)
    game = started_game(players, **wishes)
    play_as_by_hand(game, 24)
    return game


@pytest.mark.parametrize("size", [2, 4])
def test_a_whole_turn_without_scrolling(open_as: OpenAs, size: int) -> None:
    players = new_players(size - 1)
    players.append(new_player("Maximiliana", display_name="Maximiliana von Hohenfels-Orth"))
    game = a_game_of(players)
    page = open_as(whose_turn(game), game.get_absolute_url(), **PHONE)
    assert_in_sight(page, ".site-header", "#board .board", "#question .choices:not([hidden]) > *")
    choose(page, "turn:S")
    expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    assert_in_sight(page, "#board .board", "#question h1")
    page.locator("a.spot").first.tap()
    expect(page.locator("#confirm")).to_be_visible()
    assert_in_sight(page, "#board .board", "#question h1", "#undo", "#confirm")
    page.locator("#confirm").tap()
    expect(page.locator("#question h1")).to_contain_text("Waiting for")


def test_turning_afterwards_without_scrolling(open_as: OpenAs) -> None:
    game = a_game_of(new_players(3), options={"turning": "after"})
    while game.to_act_kind != "roll":
        play_as_by_hand(game, 1)
    page = open_as(whose_turn(game), game.get_absolute_url(), **PHONE)
    for _ in range(3):
        assert_in_sight(
            page, "#board .board", "#question h1", "#question .choices:not([hidden]) > *"
        )
        decide(page, game)


def test_everything_that_can_be_tapped_is_big_enough(open_as: OpenAs) -> None:
    game = a_game_of(new_players(4))
    page = open_as(whose_turn(game), game.get_absolute_url(), **PHONE)
    sizes = {".choice": 44, ".turn": 30}
    for selector, least in sizes.items():
        for box in (part.bounding_box() for part in page.locator(selector).all()):
            assert box
            assert min(box["width"], box["height"]) >= least
    choose(page, "turn:S")
    for box in (part.bounding_box() for part in page.locator("a.spot").all()):
        assert box
        assert min(box["width"], box["height"]) >= 36


def test_the_narrowest_phones_scroll_in_one_direction_only(open_as: OpenAs) -> None:
    players = [*new_players(3), new_player("Maximiliana", display_name="M" * 30)]
    game = a_game_of(players)
    page = open_as(whose_turn(game), game.get_absolute_url(), **NARROW)
    assert_not_wider(page)
    choose(page, "turn:S")
    page.locator("a.spot").first.tap()
    expect(page.locator("#confirm")).to_be_visible()
    assert_not_wider(page)
    page.goto(f"{game.get_absolute_url()}?move=3")
    assert_not_wider(page)
    for player in players[1:]:
        play.resign(game_id=game.pk, player=player, now=NOON)
    page.goto(game.get_absolute_url())
    expect(page.locator(".result")).to_be_visible()
    assert_not_wider(page)
