"""Our letters come after the page and move nothing; each page gets those it is written in."""

from __future__ import annotations

from playwright.sync_api import Route

from tests.browser.playing import OpenAs
from tests.people import new_players, play_on, started_game, whose_turn

# Without a service worker, which would keep letters and pages.
SHIFTS = """delete Navigator.prototype.serviceWorker;
new PerformanceObserver((list) => {
  window.shifted = list.getEntries().reduce((sum, entry) => sum + entry.value, window.shifted);
}).observe({ type: "layout-shift", buffered: true }); window.shifted = 0;"""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
HERE = "document.fonts.ready.then(() => null)"
LOADED = "[...document.fonts].filter(face => face.status === 'loaded').map(face => face.family)"
UNMOVED = 0.01
"""The share of the screen that moved, times how far; browsers call 0.1 good."""


def test_nothing_moves_when_the_letters_come(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    play_on(game, 7)
    player = whose_turn(game)
    page = open_as(player, "about:blank", reduced_motion="reduce")
    held: list[Route] = []
    page.route("**/*.woff2", lambda route: held.append(route))
    page.add_init_script(SHIFTS)
    for language in ("ru", "pl", "en"):
        player.language = language
        player.save()
        page.goto(game.get_absolute_url(), wait_until="domcontentloaded")
        page.evaluate(DRAWN)
        assert "Souk Sans" not in page.evaluate(LOADED)
        asked = {route.request.url.rpartition("/")[2] for route in held}
        while held:
            held.pop().continue_()
        page.evaluate(HERE)
        page.evaluate(DRAWN)
        assert {"Souk Sans", "Souk Serif"} <= set(page.evaluate(LOADED))
        assert page.evaluate("window.shifted") < UNMOVED, language
    assert asked == {"souk-sans-basic.woff2", "souk-serif-basic.woff2"}, "those of English"
