"""Turns are told one after the other, and nothing that follows is seen before its moment."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game, Player
from games.selectors.table import see_table
from games.services import play
from tests.browser.playing import OpenAs, play_as_by_hand
from tests.browser.test_ifrito import FOUR, TWO, played
from tests.people import NOON, new_players, started_game, whose_turn

# Writes down what becomes visible, in the order in which it does.
WATCH = """() => {
  window.seen = [];
  const note = (what) => { if (window.seen.at(-1) !== what) window.seen.push(what); };
  const text = (each) => each.textContent;
  const purses = () => [...document.querySelectorAll("[data-count=dirhams]")].map(text).join();
  const asked = () => document.querySelector("#question [data-choose]")?.getClientRects().length;
  let [before, told] = [null, 0];
  new MutationObserver(() => {
    if (before === null && !document.querySelector(".telling")) return;
    before ??= purses();
    if (document.querySelector(".thrown")) note("die");
    if (document.querySelector(".counted")) note("field");
    if (purses() !== before) { before = purses(); note("totals"); }
    const lines = document.querySelector(".teller ol")?.textContent.length ?? 0;
    if (lines > told) { told = lines; note("text"); }
    if (asked()) note("choices");
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""


def until_told(page: Page) -> None:
    expect(page.locator(".telling, [data-untold]")).to_have_count(0)


def until_somebody_paid(game: Game) -> Player:
    """Plays until a whole turn with a payment is over; who is to act then."""
    for _ in range(40):
        play_as_by_hand(game, 2)
        if any(move.facts.get("paid") for move in list(game.moves.all())[-2:]):
            return whose_turn(game)
    raise AssertionError("nobody ever paid")


# The same for what happens on the planes.
WATCH_PLANES = """() => {
  window.seen = [];
  const note = (what) => { if (!window.seen.includes(what)) window.seen.push(what); };
  const counts = () => [...document.querySelectorAll("[data-count=prison]")];
  const prisons = () => counts().map((each) => each.textContent).join();
  let before = null;
  new MutationObserver(() => {
    if (before === null && !document.querySelector(".telling")) return;
    before ??= prisons();
    for (const what of ["hopper", "smoke-puff", "passed", "counted"]) {
      if (document.querySelector(`.${what}`)) note(what);
    }
    if (document.querySelector("[data-piece] [href='#seat-blue']")) note("seated");
    if (prisons() !== before) note("prisons");
    if (document.querySelector(".teller li")) note("text");
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""

# When each turn was told, by the clock of the page.
TIME_TURNS = """() => {
  window.times = [];
  new MutationObserver(() => {
    const lines = document.querySelectorAll(".teller li").length;
    if (lines > window.times.length) window.times.push(performance.now());
  }).observe(document, { subtree: true, childList: true });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_die_before_walk_before_totals_before_text_before_choices(
    open_as: OpenAs, motion: Any
) -> None:
    game = started_game(new_players(2))
    follower = until_somebody_paid(game)
    game.seats.filter(player=follower).update(seen_moves=game.move_count - 2)
    page = open_as(follower, "/", told=True, reduced_motion=motion)
    page.add_init_script(f"({WATCH})()")
    page.goto(game.get_absolute_url())
    until_told(page)
    expect(page.locator("#question [data-choose]").first).to_be_visible()
    seen = page.evaluate("window.seen")
    order = [what for number, what in enumerate(seen) if what not in seen[:number]]
    assert order == ["die", "field", "totals", "text", "choices"]
    running = page.evaluate("document.getAnimations().length")
    assert motion != "reduce" or running == 0


def test_several_turns_arrive_in_one_answer_and_can_be_skipped(open_as: OpenAs) -> None:
    game = started_game(new_players(4))
    first = game.seats.get(number=0).player
    play_as_by_hand(game, 2)
    page = open_as(first, game.get_absolute_url(), told=True)
    until_told(page)
    answers: list[str] = []
    page.on("response", lambda answer: answers.append(answer.url))
    page.context.set_offline(True)
    play_as_by_hand(game, 6)
    page.context.set_offline(False)
    expect(page.locator(".telling")).to_have_count(1)
    assert not page.locator("#question [data-choose]").first.is_visible()
    page.keyboard.press("x")
    expect(page.locator(".teller li")).to_have_count(1)
    page.mouse.click(300, 300)
    until_told(page)
    expect(page.locator("#question h1")).to_have_text("Which way should Assam go?")
    expect(page.locator("#moves li")).to_have_count(4)
    assert game.moves.count() == 8, "keys and taps that skip do not play"
    table = see_table(game, first)
    drawn = page.locator("[data-layer=rugs] > g").count()
    assert drawn == len(table.board().rugs)


def test_a_game_that_ends_is_celebrated_on_a_fresh_page(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play_as_by_hand(game, 47)
    game.seats.update(seen_moves=47)
    winner = open_as(omar, game.get_absolute_url(), told=True)
    until_told(winner)
    winner.get_by_label("Say something").fill("half a thought")
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    expect(winner.get_by_role("heading", name="You won!")).to_be_visible()
    expect(winner.get_by_role("link", name="Give up…")).to_have_count(0)
    expect(winner.get_by_label("Move to show")).to_be_visible()
    expect(winner.get_by_role("button", name="Rematch")).to_be_visible()
    expect(winner.get_by_label("Say something")).to_have_value("half a thought")
    expect(winner.locator("#board.won")).to_have_count(1)
    expect(winner.get_by_role("link", name="Share")).to_be_visible()
    until_counted(winner)
    own = count_of(game, omar, "squares")
    expect(winner.locator(".crowned")).to_have_count(own)
    winner.reload()
    expect(winner.locator(".crowned")).to_have_count(own)


def count_of(game: Game, player: Player, name: str) -> int:
    position = see_table(game, player).position
    number = game.seats.get(player=player).number
    assert number is not None
    return position.rules.counts(position.state)[name][number]


def until_counted(page: Page) -> None:
    """The winner's count is over, and stays."""
    expect(page.locator(".crowned").first).to_be_visible()
    expect(page.locator(".counted:not(.crowned)")).to_have_count(0)


def test_nothing_is_counted_before_the_fresh_page_is_there(open_as: OpenAs) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play_as_by_hand(game, 12)
    game.seats.update(seen_moves=12)
    page = open_as(omar, game.get_absolute_url(), told=True)
    held: list[Route] = []
    page.route(f"**{game.get_absolute_url()}", lambda route: held.append(route))
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    expect(page.get_by_role("heading", name="You won!")).to_be_visible()
    expect(page.get_by_role("link", name="Give up…")).to_have_count(1)
    expect(page.locator(".counted")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_role("link", name="Give up…")).to_have_count(0)
    until_counted(page)


def test_a_genie_gets_on_after_its_carpet_came(open_as: OpenAs) -> None:
    game = played(2, TWO[:2])
    page = tell_planes(open_as, game, whose_turn(game), since=1)
    assert page.evaluate("window.seen") == ["hopper", "seated", "text"]


def test_a_genie_that_is_left_behind_is_seen_to_fall(open_as: OpenAs) -> None:
    game = played(2, [*TWO[:8], "move:Le1-Ue1!N"])
    page = tell_planes(open_as, game, whose_turn(game), since=8)
    seen = page.evaluate("window.seen")
    assert seen.index("hopper") < seen.index("text")


def test_captured_genies_go_up_before_they_are_in_prison(open_as: OpenAs) -> None:
    capture = next(n for n, action in enumerate(TWO) if action.startswith("capture"))
    game = played(2, TWO[: capture + 1])
    page = tell_planes(open_as, game, whose_turn(game), since=capture)
    seen = [what for what in page.evaluate("window.seen") if what != "seated"]
    assert seen == ["smoke-puff", "passed", "prisons", "text"]


def test_the_end_of_ifrito_is_counted_on_the_planes(open_as: OpenAs) -> None:
    game = played(4, FOUR)
    assert game.result
    winner = game.seats.get(number=game.result["ranking"][0][0])
    page = tell_planes(open_as, game, winner.player, since=len(FOUR) - 1)
    expect(page.get_by_role("heading", name="You won!")).to_be_visible()
    until_counted(page)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    aboard = count_of(game, winner.player, "aboard")
    expect(page.locator(".crowned text").last).to_have_text(str(aboard))
    line = page.locator(f'.player[data-seat="{winner.number}"]')
    expect(line.locator('[data-slot="captured"].full')).to_have_count(3)


def tell_planes(open_as: OpenAs, game: Game, reader: Player, *, since: int) -> Page:
    game.seats.update(seen_moves=since)
    page = open_as(reader, "/", told=True)
    page.add_init_script(f"({WATCH_PLANES})()")
    page.goto(game.get_absolute_url())
    until_told(page)
    return page


def test_a_turn_takes_its_time_and_comes_to_an_end(open_as: OpenAs) -> None:
    """About a second; a machine that is busy may take many."""
    game = started_game(new_players(2))
    play_as_by_hand(game, 2)
    follower = whose_turn(game)
    play_as_by_hand(game, 14)
    game.seats.filter(player=follower).update(seen_moves=2)
    page = open_as(follower, "/", told=True)
    page.add_init_script(f"({TIME_TURNS})()")
    page.goto(game.get_absolute_url())
    until_told(page)
    times = page.evaluate("window.times")
    assert len(times) == 7
    lengths = [after - before for before, after in pairwise(times)]
    assert median(lengths) > 600, lengths
