"""Ifrito as people play it: whole games, with and without scripts, by phone and by keyboard."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Game, Player
from tests.browser.everybody import obstacles
from tests.people import do, new_players, started_game, whose_turn

OpenAs = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def record(text: str) -> list[str]:
    return text.split()


TWO = record("""
    enter:Ua3@W enter:Ub1@NE enter:Ue1@C enter:Ld5@SE enter:Le2@E enter:Ue3@E move:Ue1-Le1@N
    move:Ld5-Le4@C move:Le1-Ue2@W move:Ub1-Uc2@N capture:Ue2-Ue3 pick:W enter:La1@SW
    capture:Ue3-Le4 pick:C enter:Le5@C capture:Le4-Le5
""")
FOUR = record("""
    enter:Le3@E enter:Ua3@NE enter:Le4@SW enter:La5@SW enter:Ue5@NE enter:Lb5@W enter:Uc5@N
    enter:Lb1@E pass capture:Lb5-La5 pick:W move:Le4-Ld3@E enter:Ue1@N pass move:Ua3-Ub4@SE
    capture:Ld3-Le3 pick:E move:Ue1-Ue2@S enter:Ua4@SE capture:Ub4-Uc5 pick:NE enter:Ld5@SW
    move:Lb1-Lc1@SE move:Ua4-Ub3@NW move:Uc5-Ud4@NE move:Le3-Ld2@N move:Ue2-Ue3@C
    move:Ub3-Uc2@W capture:Ud4-Ue5
""")

# From here on there is every kind of move once more, but to pass.
AT_FOUR = FOUR.index("capture:Ld3-Le3")


def played(count: int, actions: Sequence[str]) -> Game:
    """A game of so many players after these moves."""
    game = started_game(new_players(count), now=timezone.now(), ruleset="ifrito")
    for action in actions:
        do(game, action, timezone.now())
    return game


def tap(page: Page, action: str) -> None:
    """Choose an action as a hand would: the carpet, the cell, the cushion."""
    verb, _, rest = action.partition(":")
    confirm = page.locator(f'#confirm[value="{action}"]')
    if verb in ("pass", "pick"):
        tap_cushion(page, action, rest)
        return
    flight = rest.split("@")[0].split("!")[0]
    source, _, target = flight.rpartition("-")
    goal = page.locator(f'#cell-{target}[href$="{verb}:{flight}"]')
    start = page.locator(f"#cell-{source}" if source else "#hand")
    goal.or_(start).or_(confirm).first.wait_for()
    if not goal.count():
        start.click()
    goal.click()
    tap_cushion(page, action, rest[len(flight) + 1 :])


def tap_cushion(page: Page, action: str, name: str) -> None:
    """The cushion, unless only one can be meant."""
    confirm = page.locator(f'#confirm[value="{action}"]')
    cushion = page.locator(f'#cushion-{name or "none"}[href$="{action}"]')
    confirm.or_(cushion).first.wait_for()
    if not confirm.count():
        cushion.click()
    confirm.wait_for()


def confirm(page: Page) -> None:
    on_move = page.locator("input[name=on]").first.get_attribute("value")
    page.locator("#confirm").click()
    expect(page.locator(f'input[name=on][value="{on_move}"]')).to_have_count(0)


def play_whole(game: Game, actions: Sequence[str], open_as: OpenAs, **how: Any) -> Page:
    """All these moves by taps, each player on a device of his own; the page of the last move."""
    alive = how.get("java_script_enabled", True)
    pages: dict[int, Page] = {}
    for number, action in enumerate(actions, start=game.move_count):
        player = whose_turn(game)
        if player.pk not in pages:
            pages[player.pk] = open_as(player, game.get_absolute_url(), **how)
        page = pages[player.pk]
        if not alive:
            page.goto(game.get_absolute_url())
        expect(page.locator(f'input[name=on][value="{number}"]')).to_have_count(1)
        if action.startswith("pick:"):
            expect(page.get_by_role("heading", level=1)).to_have_text("Choose a genie to take off")
        tap(page, action)
        confirm(page)
    return page


def test_a_whole_game_of_two_without_scripts(open_as: OpenAs) -> None:
    game = played(2, [])
    page = play_whole(game, TWO, open_as, java_script_enabled=False)
    expect(page.locator("h1.verdict")).to_be_visible()
    expect(page.get_by_text("Three carpets have been captured by one player.")).to_be_visible()
    game.refresh_from_db()
    assert [move.action for move in game.moves.order_by("number")] == TWO
    assert game.result
    assert game.result["reason"] == "carpets"


def test_a_game_of_four_to_its_end(open_as: OpenAs) -> None:
    game = played(4, FOUR[:AT_FOUR])
    page = play_whole(game, FOUR[AT_FOUR:], open_as)
    expect(page.locator("h1.verdict")).to_be_visible()
    winner = page.get_by_role("table").get_by_role("row").nth(1)
    expect(winner).to_contain_text("3")
    game.refresh_from_db()
    assert [move.action for move in game.moves.order_by("number")] == FOUR


# Three carpets whose genies all point over the edge.
STUCK = record("""
    enter:Le5@N enter:La4@C enter:Ue5@E enter:Ue3@NW enter:Ud5@N enter:Uc1@C
""")


@pytest.mark.parametrize("scripts", [True, False])
def test_who_can_do_nothing_passes(open_as: OpenAs, scripts: bool) -> None:
    game = played(2, STUCK)
    page = open_as(whose_turn(game), game.get_absolute_url(), **PHONE, java_script_enabled=scripts)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your turn: nothing can move")
    page.get_by_role("button", name="Pass").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Waiting for")
    assert game.moves.last().action == "pass"  # type: ignore[union-attr]


def pick_owed() -> tuple[Game, Player]:
    game = played(2, TWO[: TWO.index("pick:W")])
    return game, whose_turn(game)


def test_a_pick_is_announced_like_a_turn(open_as: OpenAs) -> None:
    _, picker = pick_owed()
    page = open_as(picker)
    card = page.locator(".game.yours")
    expect(card).to_contain_text("Choose a genie to take off")
    card.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a genie to take off")
    expect(page.locator("#cushion-W")).to_have_attribute("aria-label", "west")


def test_undo_takes_back_one_tap_at_a_time(open_as: OpenAs) -> None:
    game = played(2, TWO[:7])
    page = open_as(whose_turn(game), game.get_absolute_url())
    tap(page, "move:Ld5-Le4@C")
    page.get_by_role("link", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ld5 fly?")
    page.get_by_role("link", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your turn: which carpet?")
    game.refresh_from_db()
    assert game.move_count == 7


def test_a_cell_out_of_reach_says_why(open_as: OpenAs) -> None:
    game = played(2, [])
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.locator("#cell-Uc3").click()
    expect(page.get_by_role("status").filter(has_text="Uc3")).to_contain_text("edge of a plane")
    expect(page.locator("#confirm")).to_have_count(0)


def test_a_turn_by_keyboard(open_as: OpenAs) -> None:
    game = played(2, [])
    page = open_as(whose_turn(game), game.get_absolute_url())
    page.locator("#cell-Ua5").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#cell-Ub5")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Cushions")).to_be_visible()
    page.keyboard.press("9")
    expect(page.locator('#confirm[value="enter:Ub5@NE"]')).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Waiting for")
    game.refresh_from_db()
    assert game.moves.get().action == "enter:Ub5@NE"


@pytest.mark.parametrize("pointed", ["Ub4", "Le1"])
def test_the_cell_on_the_other_plane_lights_up(open_as: OpenAs, pointed: str) -> None:
    game = played(2, [])
    page = open_as(whose_turn(game), game.get_absolute_url())
    other = page.locator(f"#cell-{'L' if pointed[0] == 'U' else 'U'}{pointed[1:]}")
    expect(other).to_have_css("box-shadow", "none")
    page.locator(f"#cell-{pointed}").hover()
    expect(other).not_to_have_css("box-shadow", "none")


def test_planes_lie_side_by_side_or_on_a_phone_one_above_the_other(open_as: OpenAs) -> None:
    game = played(2, [])
    player, url = whose_turn(game), f"{game.get_absolute_url()}?choose=enter:Ub5@SE"
    wide = open_as(player, url, viewport={"width": 1120, "height": 760})
    upper, lower = (wide.locator(f".plane.{key}").bounding_box() for key in "UL")
    assert upper
    assert lower
    assert upper["x"] + upper["width"] <= lower["x"]
    phone = open_as(player, url, **PHONE)
    upper, lower = (phone.locator(f".plane.{key}").bounding_box() for key in "UL")
    assert upper
    assert lower
    assert upper["y"] + upper["height"] <= lower["y"]
    assert phone.locator("html").evaluate("html => html.scrollWidth") == 360
    button = phone.locator("#confirm").bounding_box()
    assert button
    assert button["y"] + button["height"] <= 740
    cell = phone.locator("#cell-Ua1").bounding_box()
    assert cell
    assert min(cell["width"], cell["height"]) >= 40


def test_nothing_stands_in_anybodys_way(open_as: OpenAs) -> None:
    game, picker = pick_owed()
    page = open_as(picker, game.get_absolute_url())
    for tapped in ("", "?choose=pick:W"):
        page.goto(game.get_absolute_url() + tapped)
        assert obstacles(page) == []
    do(game, "pick:W", timezone.now())
    page = open_as(whose_turn(game), game.get_absolute_url(), **PHONE)
    for tapped in ("hand", "Uc2", "move:Uc2-Uc3", "enter:La1@SW"):
        page.goto(f"{game.get_absolute_url()}?choose={tapped}")
        assert obstacles(page) == []


def test_the_table_is_light(open_as: OpenAs) -> None:
    game = played(2, TWO[:10])
    page = open_as(whose_turn(game), game.get_absolute_url())
    assets = page.eval_on_selector_all(
        "link[rel=stylesheet], link[rel=icon], script[src]",
        "parts => parts.map(part => part.href || part.src)",
    )
    assert len(assets) > 5
    bodies = [page.request.get(address).body() for address in [page.url, *assets]]
    assert sum(len(gzip.compress(body)) for body in bodies) <= 70_000
    tap(page, TWO[10])
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        page.locator("#confirm").click()
    assert len(gzip.compress(answer.value.body())) <= 15_000
