"""The puzzle of the day in a real browser: without JavaScript, by day and night, on a phone."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.everybody import obstacles
from tests.history.archive import people, stored_game
from tests.puzzles.invented import move_with_choices, puzzle_of

FITS = "html => html.scrollWidth <= innerWidth"


def test_it_is_found_solved_and_kept_without_javascript(open_as: Callable[..., Page]) -> None:
    game = stored_game(people("yasmin", "omar", "wei"), seed=2)
    puzzle_of(game, move_with_choices(game), day=timezone.now().date())
    reader = game.creator
    page = open_as(reader, "/learn/", java_script_enabled=False)
    page.get_by_role("link", name="The puzzle of the day").click()
    expect(page.locator("#question")).to_contain_text("one choice is clearly the best")
    page.locator(".places .choice").first.click()
    if page.get_by_text("Something else").count():
        page.locator(".confirm .button:not(.plain), .places .choice").first.click()
    expect(page.locator("#question")).to_contain_text("Best:")
    page = open_as(reader, "/puzzle/")
    expect(page.locator("#question")).to_contain_text("Best:")
    assert obstacles(page) == []
    visitor = open_as(None, "/puzzle/")
    assert obstacles(visitor) == []
    for width in (320, 360, 820, 1280):
        visitor.set_viewport_size({"width": width, "height": 800})
        assert visitor.locator("html").evaluate(FITS), width
    visitor.get_by_role("link", name="Earlier puzzles").click()
    assert obstacles(visitor) == []
