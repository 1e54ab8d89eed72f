"""A table without a mouse: keys of their own, or Tab and Enter alone."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.playing import OpenAs, play_as_by_hand
from tests.people import new_players, started_game, whose_turn


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


@pytest.mark.parametrize(
    ("key", "action"),
    [("l", "turn:L"), ("s", "turn:S"), ("r", "turn:R")],
)
def test_a_turn_by_keys(open_as: OpenAs, key: str, action: str) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    for arrow in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(arrow)
    page.keyboard.press(key)
    expect(page.locator("#confirm")).to_have_attribute("value", action)
    assert game.moves.count() == 0
    page.keyboard.press("c")
    heading = page.locator("#question h1")
    expect(heading).to_have_text("Where do you lay your rug?")
    expect(heading).to_be_focused()
    # The browser puts the focus there, and HTMX once more when what it swapped in settles.
    expect(page.locator(".htmx-settling")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator(".spot").first).to_be_focused()
    first = focused(page)
    for arrow in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(arrow)
    expect(page.locator(".spot:focus")).to_have_count(1)
    page.locator(f"#{first}").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator(f"#{first}")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    page.locator(f"#{first}").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    laid = page.locator("#confirm").get_attribute("value")
    page.keyboard.press("c")
    expect(heading).to_contain_text("Waiting for")
    assert [move.action for move in game.moves.all()] == [action, laid]


def test_a_turn_by_tab_and_enter_alone(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())

    def tab_to(selector: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("sought => document.activeElement.matches(sought)", selector):
                return
        raise AssertionError(f"{selector} cannot be reached")

    tab_to('#question [data-choose="turn:S"]')
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_enabled()
    tab_to("#confirm")
    page.keyboard.press("Enter")
    expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    tab_to(".spot")
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    tab_to("#confirm")
    page.keyboard.press("Enter")
    expect(page.locator("#question h1")).to_contain_text("Waiting for")
    assert game.moves.count() == 2


def test_keys_for_going_through_the_moves(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    play_as_by_hand(game, 5)
    page = open_as(None, game.get_absolute_url())
    for key, shown in ((",", 4), (",", 3), (".", 4)):
        page.keyboard.press(key)
        expect(page.locator("#question h1")).to_have_text(f"After move {shown} of 5")
        # The first step is a page of its own, and keys come with its scripts.
        page.wait_for_load_state()


def test_a_page_that_comes_late_does_not_undo_the_next_step(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    play_as_by_hand(game, 5)
    page = open_as(None, f"{game.get_absolute_url()}?move=4")
    late: list[Route] = []
    page.route("**/*move=3*", lambda route: late.append(route))
    heading = page.locator("#question h1")
    page.keyboard.press(",")
    expect(heading).to_have_text("After move 3 of 5")
    for _ in range(200):
        if not late:
            page.wait_for_timeout(50)
    assert late
    page.keyboard.press(",")
    expect(heading).to_have_text("After move 2 of 5")
    for route in late:
        with suppress(Error):  # it was given up
            route.continue_()
    expect(page).to_have_url(re.compile("move=2"))
    expect(heading).to_have_text("After move 2 of 5")


def test_no_key_acts_while_somebody_writes(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.get_by_label("Say something").focus()
    page.keyboard.type("all sorts of rugs, really")
    expect(page.get_by_label("Say something")).to_have_value("all sorts of rugs, really")
    page.get_by_label("Notes that only you can see").focus()
    page.keyboard.type("l r s")
    page.keyboard.press("ArrowLeft")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Control+r")
    assert game.moves.count() == 0


def test_enter_belongs_to_what_has_the_focus(open_as: OpenAs) -> None:
    """With turning afterwards Enter rolls, but not from a link that somebody follows."""
    game = started_game(new_players(2), options={"turning": "after"})
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.locator(".brand").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My games")).to_be_visible()
    assert game.moves.count() == 0
    page.goto(game.get_absolute_url())
    page.keyboard.press("Enter")
    expect(page.locator("#question h1")).to_have_text("Where do you lay your rug?")
    assert game.moves.count() == 1


def test_the_keys_are_explained(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.locator("summary", has_text="Keys").click()
    expect(page.locator(".keys dl")).to_contain_text("a move back, a move forward")
