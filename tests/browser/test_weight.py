"""What a page costs on the way: measured in Chromium, from a server set up as in production."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from playwright.sync_api import Browser, Page, expect
from rcssmin import cssmin

from games.models import Player
from games.templatetags import drawing
from tests.people import new_players, play_on, started_game, whose_turn
from tools.sessions import session_cookie

FIRST, LATER = 107_000, 60_000


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def house(settings: Any, tmp_path: Path) -> Iterator[str]:
    """The address of a server that compresses pages, and has static files collected."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "marrakech_site.assets.Storage"},
    }
    call_command(
        "collectstatic", interactive=False, verbosity=0, ignore_patterns=["admin", "*-4*", "ext"]
    )
    server = ThreadedWSGIServer(("localhost", 0), Quiet)
    server.set_app(get_wsgi_application())
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    forget_drawings()
    yield f"http://localhost:{server.server_port}"
    forget_drawings()
    server.shutdown()
    server.server_close()
    thread.join()


def forget_drawings() -> None:
    """They name files as they are called elsewhere in the tests, or here."""
    drawing._kept.cache_clear()
    drawing._kept_piece.cache_clear()


def load(page: Page, address: str) -> int:
    """Bytes on the wire, headers and all, until everything that was asked for is there."""
    sizes: list[int] = []
    under_way: set[str] = set()

    def arrive(load: dict[str, Any]) -> None:
        under_way.discard(load["requestId"])
        sizes.append(int(load.get("encodedDataLength", 0)))

    wire = page.context.new_cdp_session(page)
    wire.on("Network.requestWillBeSent", lambda load: under_way.add(load["requestId"]))
    wire.on("Network.loadingFinished", arrive)
    wire.on("Network.loadingFailed", arrive)
    wire.send("Network.enable")
    page.goto(address)
    page.evaluate("document.fonts.ready.then(() => null)")
    while under_way:
        page.wait_for_timeout(20)
    wire.detach()
    return sum(sizes)


@pytest.mark.parametrize("is_over", [False, True], ids=["running", "over"])
@pytest.mark.parametrize("ruleset", ["marrakech", "ifrito"])
def test_a_table_is_light(browser: Browser, house: str, ruleset: str, is_over: bool) -> None:
    game = started_game(new_players(4 if ruleset == "marrakech" else 2), ruleset=ruleset)
    play_on(game, 30 if ruleset == "marrakech" else 12)
    reader = whose_turn(game)
    while is_over and game.to_act_id:
        play_on(game, 1)
    weights = {}
    for language, _ in settings.LANGUAGES:
        Player.objects.update(language=language)
        context = browser.new_context(base_url=house, service_workers="block")
        context.add_cookies([session_cookie(reader, house)])
        page = context.new_page()
        first, later = (load(page, game.get_absolute_url()) for _ in range(2))
        weights[language] = (first, later)
        expect(page.locator('[data-switch="sound"]')).to_be_visible()  # brought by a script
        assert page.evaluate("document.fonts.size") > 10, "brought by a sheet"
        context.close()
    assert all(first < FIRST and later < LATER for first, later in weights.values()), weights


RULES = r"""text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map(rule => rule.cssText.replace(/, /g, ","));
}"""


def test_a_light_sheet_says_the_same(browser: Browser) -> None:
    page = browser.new_page()
    for sheet in (settings.BASE_DIR / "games" / "static").rglob("*.css"):
        text = sheet.read_text()
        assert page.evaluate(RULES, cssmin(text)) == page.evaluate(RULES, text), sheet.name
    page.close()
