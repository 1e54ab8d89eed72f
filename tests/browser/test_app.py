"""The service worker in a real browser: pages without a connection, notices, and signing out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Device, Move
from tests.browser.conftest import PATIENCE
from tests.browser.wire import Wire
from tests.people import new_players, play_on, started_game, whose_turn
from tests.reach.places import Browser as Phone
from tools.patience import wait_until
from tools.sessions import session_cookie

# A browser without a window has no place for notices; this one remembers them.
SHOW = """async (words) => {
    const shown = self.shownHere ??= new Map();
    const registered = ServiceWorkerRegistration.prototype;
    registered.getNotifications = async ({tag}) =>
        shown.has(tag) ? [{close: () => shown.delete(tag)}] : [];
    registered.showNotification = async (title, {tag, actions = [], data}) => {
        self.shownLast = data;
        shown.set(tag, [title, actions.length]);
    };
    const marked = (count) => { self.markedWith = count; };
    Object.assign(self.navigator, {setAppBadge: marked, clearAppBadge: () => marked(0)});
    await show(words);
    return [self.markedWith, ...shown.values()];
}"""
# Where a tap on that notice leads, or on one of its buttons.
TAP = """async (action) => {
    const opened = [];
    const openWindow = {value: async (path) => opened.push(path), configurable: true};
    Object.defineProperty(self.clients, 'openWindow', openWindow);
    let work;
    const tap = Object.assign(new Event('notificationclick'), {
        action,
        notification: {close: () => {}, data: self.shownLast},
        waitUntil: (promise) => { work = promise; },
    });
    self.dispatchEvent(tap);
    await work;
    return opened;
}"""
KEPT = """async () => {
    const kept = [];
    for (const name of await caches.keys())
        for (const each of await (await caches.open(name)).keys())
            if (!/\\/(static|offline)\\//.test(each.url)) kept.push(new URL(each.url).pathname);
    return kept;
}"""

# Nor has it an icon to be marked.
MARK = "navigator.setAppBadge = async (count) => { window.markedWith = count; };"
KEPT_IS_NEW = """async (path) => {
    const kept = await (await caches.open('seen')).match(path);
    return kept && (await kept.text()).includes('Waiting for');
}"""


@pytest.fixture
def wire(live_server: Any) -> Iterator[Wire]:
    line = Wire(int(live_server.url.rpartition(":")[2]))
    yield line
    line.close()


def until(page: Page, script: str, argument: Any = None) -> None:
    """Until a script that takes its time says yes."""
    for _ in range(PATIENCE // 100):
        if page.evaluate(script, argument):
            return
        page.wait_for_timeout(100)
    raise AssertionError(script)


def told(page: Page, **words: Any) -> Any:
    """What is shown after a push service delivered this."""
    return page.context.service_workers[0].evaluate(SHOW, words)


def test_ones_own_games_are_readable_without_a_connection_until_one_signs_out(
    browser: Browser, wire: Wire
) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play_on(game, 2)
    actor = whose_turn(game)
    context = browser.new_context(base_url=wire.url, locale="en-GB", permissions=["notifications"])
    context.set_default_timeout(PATIENCE)
    context.add_cookies([session_cookie(actor, wire.url)])
    context.add_init_script(MARK)
    page = context.new_page()
    page.goto("/")
    assert page.evaluate("window.markedWith") == 1
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    wait_until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"))
    page.goto("/")
    page.goto(game.get_absolute_url())
    expect(page.locator("#seen")).to_be_hidden()
    # What is seen last counts, also of a page that changed by itself.
    while whose_turn(game) == actor:
        play_on(game, 1)
    expect(page.get_by_role("heading", name="Waiting for")).to_be_visible()
    until(page, KEPT_IS_NEW, game.get_absolute_url())
    assert page.evaluate("window.markedWith") == 0

    made = Move.objects.count()
    wire.cut()
    page.goto(game.get_absolute_url())
    expect(page.locator("#board svg").first).to_be_visible()
    expect(page.get_by_role("heading", name="Waiting for")).to_be_visible()
    expect(page.locator("#seen")).to_contain_text("You are offline")
    expect(page.locator("#seen time")).not_to_be_empty()
    # What was not kept says so, and what can be read instead.
    page.goto("/players/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("#kept li")).to_have_count(2)
    page.locator("#kept").get_by_role("link", name="My games").click()
    expect(page.locator("#home")).to_be_visible()
    # A move is made by the server, or not at all.
    sent = page.evaluate(
        "path => fetch(path, {method: 'POST'}).then(() => 'answered', () => 'lost')",
        f"{game.get_absolute_url()}move/",
    )
    assert sent == "lost"
    assert Move.objects.count() == made

    wire.mend()
    page.evaluate("document.body.dispatchEvent(new Event('souk:changed'))")
    expect(page.locator("#seen")).to_be_hidden()
    actions = [{"action": "0", "title": "Left", "url": f"{wire.url}/next/"}]
    url = f"{wire.url}{game.get_absolute_url()}"
    for title in ("Your turn", "Half of your time is gone"):
        shown = told(page, title=title, body="…", tag="abc", url=url, badge=2, actions=actions)
        assert shown == [2, [title, 1]], "replaced, not piled up"
    worker = page.context.service_workers[0]
    assert worker.evaluate(TAP, "") == [game.get_absolute_url()]
    assert worker.evaluate(TAP, "0") == ["/next/"]
    assert told(page, tag="abc", close=True, badge=0) == [0]
    moved = {"endpoint": "https://push.example/moved", "keys": Phone().keys}
    worker.evaluate("given => follow({toJSON: () => given})", moved)
    assert Device.objects.get().player == actor

    assert "/" in page.evaluate(KEPT)
    page.goto("/accounts/logout/")
    page.locator("main form button").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    until(page, f"async () => (await ({KEPT})()).length === 0")
    context.close()
