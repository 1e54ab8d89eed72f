"""Open pages move by themselves: with a stream, without it, and when it comes and goes."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.services import lobby, play
from tests.live.streams import LiveProcess, live_process
from tests.people import NOON, new_players, open_game, play_on, started_game
from tools.patience import PATIENCE

# What a browser does when another tab is shown.
TURN = """state => {
    Object.defineProperty(document, 'hidden', {value: state, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""
OpenAs = Callable[..., Page]


@pytest.fixture
def live(settings: Any, live_server: Any) -> Iterator[LiveProcess]:
    with live_process(PORT=live_server.url.rpartition(":")[2]) as process:
        _point_pages_at(settings, process.port)
        yield process


def _point_pages_at(settings: Any, port: int) -> None:
    settings.LIVE_PORT = port
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    places = [*policy["connect-src"], f"http://localhost:{port}"]
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**policy, "connect-src": places}}


def asks_of(page: Page) -> list[str]:
    """The questions that this page asks from now on."""
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url) if "/changes/" in each.url else None)
    return asked


def expect_change(page: Page, happens: Callable[[], object]) -> None:
    live = page.locator("#live")
    before = live.get_attribute("data-stamp") or ""
    happens()
    expect(live).not_to_have_attribute("data-stamp", before)


def test_pages_move_by_a_stream_that_may_come_and_go(live: LiveProcess, open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    waiting = open_game(yasmin)
    room = open_as(yasmin, waiting.get_absolute_url())
    home = open_as(omar, "/")
    lobby.join_game(game_id=waiting.pk, player=omar, entropy="mint", now=NOON)
    expect(room.locator("#board")).to_be_visible()
    expect(home.locator(".game")).to_have_count(1)

    watching = open_as(None, waiting.get_absolute_url())
    expect(watching.locator("html")).to_have_attribute("data-listens", "yes")
    asked = asks_of(watching)
    expect_change(watching, lambda: play_on(waiting, 1))
    assert len(asked) == 1, "it asks when there is something to ask for, and only then"

    live.stop(signal.SIGKILL)
    expect(watching.locator("html")).not_to_have_attribute("data-listens", "yes")
    expect_change(watching, lambda: play_on(waiting, 1))
    live.start()
    expect(watching.locator("html")).to_have_attribute(
        "data-listens", "yes", timeout=3000 * PATIENCE
    )
    expect_change(watching, lambda: play_on(waiting, 2))


def test_a_stream_that_something_on_the_way_keeps_is_given_up(
    settings: Any, open_as: OpenAs
) -> None:
    """A proxy that collects an answer before it hands it on: the connection stands, and is dumb."""
    game = started_game(new_players(2))
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        held: list[socket.socket] = []
        threading.Thread(target=_accept, args=(proxy, held), daemon=True).start()
        _point_pages_at(settings, proxy.getsockname()[1])
        page = open_as(None, game.get_absolute_url())
        play.resign(game_id=game.pk, player=game.creator, now=NOON)
        expect(page.locator("h1.verdict")).to_be_visible()
        assert held, "it was tried"
        for connection in held:
            connection.close()


def _accept(proxy: socket.socket, held: list[socket.socket]) -> None:
    try:
        while True:
            held.append(proxy.accept()[0])
    except OSError:
        return


def test_a_page_that_nobody_sees_neither_asks_nor_listens(
    live: LiveProcess, open_as: OpenAs
) -> None:
    game = started_game(new_players(2))
    page = open_as(None, game.get_absolute_url())
    expect(page.locator("html")).to_have_attribute("data-listens", "yes")
    page.evaluate(TURN, True)
    expect(page.locator("html")).not_to_have_attribute("data-listens", "yes")
    asked = asks_of(page)
    play_on(game, 1)
    page.wait_for_timeout(3000)
    assert asked == []
    expect_change(page, lambda: page.evaluate(TURN, False))


def test_a_page_that_was_opened_behind_another_waits_until_it_is_seen(
    live: LiveProcess, open_as: OpenAs
) -> None:
    game = started_game(new_players(2))
    page = open_as(None, "/")
    page.add_init_script("Object.defineProperty(document, 'hidden', {value: true, writable: true})")
    asked = asks_of(page)
    page.goto(game.get_absolute_url())
    play_on(game, 1)
    page.wait_for_timeout(5000)
    assert asked == []
    expect(page.locator("html")).not_to_have_attribute("data-listens", "yes")
    show = "document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))"
    expect_change(page, lambda: page.evaluate(show))


def test_a_site_that_does_not_answer_is_asked_less_and_less(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(None, game.get_absolute_url())
    page.clock.install()
    asked = asks_of(page)
    page.route("**/changes/**", lambda route: route.abort())
    page.goto(game.get_absolute_url())
    for _ in range(60):
        page.clock.run_for(1000)
    first = len(asked)
    for _ in range(300):
        page.clock.run_for(1000)
    before = len(asked)
    for _ in range(60):
        page.clock.run_for(1000)
    assert 0 < len(asked) - before < first
    assert len(asked) - before <= 6
