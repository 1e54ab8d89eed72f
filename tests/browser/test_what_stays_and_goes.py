"""What a page shows after something else: news, coming back, another player, a choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Game, Player
from games.services import table_talk
from tests.browser.conftest import PATIENCE
from tests.browser.playing import OpenAs, play_as_by_hand
from tests.browser.test_app import until
from tests.browser.wire import Wire
from tests.people import NOON, new_players, play_on, started_game, whose_turn
from tools.sessions import session_cookie

# The page asks for nothing of its own accord; only what happens to it makes it ask.
NEVER_BY_ITSELF = """new MutationObserver(() => {
    const live = document.getElementById("live");
    if (live && live.dataset.pace !== "99999") live.dataset.pace = "99999";
}).observe(document, { subtree: true, childList: true, attributes: true });"""
CHANGED = "document.body.dispatchEvent(new Event('souk:changed'))"
BACK = "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
KEEP = "async () => { await (await caches.open('seen')).put('/kept/', new Response('mine')); }"
IS_KEPT = "async () => Boolean(await (await caches.open('seen')).match('/kept/'))"


@pytest.fixture
def wire(live_server: Any) -> Iterator[Wire]:
    line = Wire(int(live_server.url.rpartition(":")[2]))
    yield line
    line.close()


def quiet_page(open_as: OpenAs, player: Player | None, game: Game, **how: Any) -> Page:
    page = open_as(player, "/help/", **how)
    page.add_init_script(NEVER_BY_ITSELF)
    page.goto(game.get_absolute_url())
    return page


def test_news_that_come_while_a_turn_is_told_are_shown_after_it(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play_as_by_hand(game, 2)
    follower = whose_turn(game)
    play_as_by_hand(game, 14)
    game.seats.filter(player=follower).update(seen_moves=2)
    page = quiet_page(open_as, follower, game, told=True)
    expect(page.locator(".telling")).to_have_count(1)
    other = omar if follower == yasmin else yasmin
    table_talk.post_message(game=game, player=other, text="while it is told", now=NOON)
    page.evaluate(CHANGED)
    assert page.locator(".telling").count() == 1, "it is still being told"
    expect(page.get_by_text("while it is told")).to_have_count(0)
    page.keyboard.press("x")
    page.keyboard.press("x")
    expect(page.locator(".telling")).to_have_count(0)
    expect(page.get_by_text("while it is told")).to_be_visible()


def test_a_page_that_comes_back_out_of_the_browsers_memory_is_up_to_date(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = quiet_page(open_as, None, game)
    live = page.locator("#live")
    before = live.get_attribute("data-stamp") or ""
    play_on(game, 1)
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url) if "/changes/" in each.url else None)
    page.evaluate(BACK)
    expect(live).not_to_have_attribute("data-stamp", before)
    assert len(asked) == 1


def test_what_was_kept_of_one_player_leaves_the_device_when_another_comes(
    browser: Browser, wire: Wire
) -> None:
    yasmin, omar = new_players(2)
    context = browser.new_context(base_url=wire.url, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.add_cookies([session_cookie(yasmin, wire.url)])
    page = context.new_page()
    page.goto("/")
    page.evaluate(KEEP)
    page.goto("/")
    assert page.evaluate(IS_KEPT), "it is still the same player"
    context.clear_cookies()
    context.add_cookies([session_cookie(omar, wire.url)])
    page.goto("/")
    until(page, f"async () => !(await ({IS_KEPT})())")
    page.evaluate(KEEP)
    context.clear_cookies()
    page.goto("/help/")
    until(page, f"async () => !(await ({IS_KEPT})())")
    context.close()


def test_what_is_chosen_is_marked_and_nothing_else(open_as: OpenAs) -> None:
    game = started_game(new_players(2))
    page = open_as(whose_turn(game), game.get_absolute_url())
    for way in ("L", "R"):
        page.locator(f'#question [data-choose="turn:{way}"]').click()
        expect(page.locator("#confirm")).to_have_attribute("value", f"turn:{way}")
        marked = page.locator('[aria-current="true"][data-choose]')
        values = marked.evaluate_all("all => [...new Set(all.map(e => e.dataset.choose))]")
        assert any(f"turn:{way}" in value.split(" ") for value in values)
        other = "R" if way == "L" else "L"
        assert f"turn:{other}" not in values
        expect(page.locator(f"#board .board.shows-{way}")).to_have_count(1)
        expect(page.locator(f"#board .board.shows-{other}")).to_have_count(0)
    play_as_by_hand(game, 1)
    game.refresh_from_db()
    assert game.to_act_kind == "lay"
    page.goto(game.get_absolute_url())
    spot = page.locator("#table a.spot").first
    spot.click()
    expect(spot).to_have_attribute("aria-current", "true")
    expect(page.locator("#board [data-place].shown")).to_have_count(1)
    chosen = page.locator("#confirm").get_attribute("value")
    shown = page.locator("#board [data-place].shown")
    assert shown.get_attribute("data-place") == chosen
    expect(page.locator("[data-unless-chosen]:visible")).to_have_count(0)
