"""Real Chromium against a real server. One context a player, as on separate devices."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.servers.basehttp import WSGIServer
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from games.models import Player
from tests.conftest import missing
from tools import patience
from tools.sessions import session_cookie

LOST = ("htmx:sendError", "htmx:sendAbort", "htmx:afterRequest", "Response Status Error Code")
AXE_BEFORE_A_SANDBOX = "Failed to execute 'postMessage'"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]

PATIENCE = round(500 * patience.PATIENCE)
"""Milliseconds: half of what a process gets to start. What a page does by itself takes seconds."""
expect.set_options(timeout=PATIENCE)

# A page asks for a dozen files at once, and several tests share the machine.
WSGIServer.request_queue_size = 128


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in str(item.path):
            # The server of a test runs in threads of its own and must see what the test wrote.
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    # The one without a window starts faster and draws with less effort.
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not chromium:
        missing("Chromium")
    return {**browser_type_launch_args, "executable_path": chromium, "args": FLAGS}


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What browsers grumbled about: errors of scripts, broken policies, assets not found."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def open_as(
    browser: Browser, live_server: Any, complaints: list[str]
) -> Iterator[Callable[..., Page]]:
    """A page of a browser of its own, signed in as this player (or nobody)."""
    contexts: list[BrowserContext] = []

    def listen(message: ConsoleMessage) -> None:
        # Refusals and lost connections are what some tests are about; a poll is given up
        # when the player acts meanwhile.
        expected = message.text.startswith((*LOST, AXE_BEFORE_A_SANDBOX)) or (
            "Failed to load resource" in message.text
            and not ("/static/" in message.location["url"] and "with a status" in message.text)
        )
        if message.type in ("error", "warning") and not expected:
            complaints.append(f"{message.text} ({message.location['url']})")

    def open_page(
        player: Player | None = None, path: str = "/", *, told: bool = False, **how: Any
    ) -> Page:
        """Turns are `told` only to tests that are about that: it takes a second each."""
        context = browser.new_context(base_url=live_server.url, locale="en-GB", **how)
        if not told:
            context.add_init_script("try { localStorage.setItem('souk-story', 'off') } catch {}")
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if player:
            context.add_cookies([session_cookie(player, live_server.url)])
        context.on("console", listen)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        page = context.new_page()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
