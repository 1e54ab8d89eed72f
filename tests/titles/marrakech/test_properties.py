"""What holds in every game of Marrakech, whatever is played."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.interface import LEAVING, Decide, play
from games.titles.marrakech.rules import MARRAKECH
from games.titles.marrakech.rules.geometry import (
    NAMES,
    POSE_NAMES,
    SPOT_BY_ACTION,
    SPOT_BY_BIT,
    region,
)
from games.titles.marrakech.rules.position import field
from games.titles.marrakech.rules.state import State
from tests.engine.random_games import Played, Setting, dealt, random_game
from tests.titles.marrakech.positions import ALL_OPTIONS, over

SETTINGS = st.builds(
    Setting, st.just(MARRAKECH), st.sampled_from([2, 3, 4]), st.sampled_from(ALL_OPTIONS)
)
LEAVE = st.sampled_from([0.0, 0.0, 0.01, 0.1])


@st.composite
def games(draw: st.DrawFn) -> list[Played]:
    return list(random_game(draw(SETTINGS), draw(st.integers(0, 2**32)), draw(LEAVE)))


@settings(max_examples=40, deadline=None)
@given(games())
def test_dirhams_are_conserved_but_for_those_a_leaver_takes_out(game: list[Played]) -> None:
    for played in game:
        before, after = played.before.dirhams, played.after.dirhams
        taken_out = before[played.seat] if played.action in LEAVING else 0
        assert sum(after) == sum(before) - taken_out
        assert min(after) >= 0
        if paid := played.facts.get("paid"):
            assert after[paid["to"]] == before[paid["to"]] + paid["amount"]
            assert after[played.seat] == before[played.seat] - paid["amount"]
            assert 0 <= paid["amount"] <= paid["due"] <= 49
            assert paid["due"] >= 1


def top_rugs(state: State) -> dict[int, int]:
    """By square the number of the rug on top, from nothing but the order of laying."""
    top = {}
    for number, (bit, _) in enumerate(state.laid):
        for square in SPOT_BY_BIT[bit].squares:
            top[square] = number
    return top


@settings(max_examples=25, deadline=None)
@given(games())
def test_what_is_remembered_of_the_rugs_follows_from_the_laying(game: list[Played]) -> None:
    """Colours and whole rugs are kept as sets of squares and spots: they must say the same."""
    for played in game:
        state = played.after
        top = top_rugs(state)
        for number in range(len(state.setup.palette)):
            shown = {square for square, rug in top.items() if state.laid[rug][1] == number}
            assert field(state, number) == sum(1 << square for square in shown)
        whole = {
            bit
            for number, (bit, _) in enumerate(state.laid)
            if all(top[square] == number for square in SPOT_BY_BIT[bit].squares)
        }
        assert state.whole == sum(whole)
        for one, other in itertools.combinations(whole, 2):
            assert not set(SPOT_BY_BIT[one].squares) & set(SPOT_BY_BIT[other].squares)


@settings(max_examples=25, deadline=None)
@given(games())
def test_visible_squares_are_at_most_the_board_and_twice_the_rugs(game: list[Played]) -> None:
    for played in game:
        seen = MARRAKECH.observe(played.after, None)
        visible = [square for rug in seen["rugs"] for square in rug["visible"]]
        assert len(visible) == len(set(visible))
        assert len(visible) <= min(49, 2 * len(played.after.laid))
        assert [rug["id"] for rug in seen["rugs"]] == sorted(rug["id"] for rug in seen["rugs"])
        assert sum(player["squares"] for player in seen["players"]) == sum(
            len(rug["visible"]) for rug in seen["rugs"] if not rug["neutral"]
        )
        for player in seen["players"]:
            expected = player["squares"] + player["dirhams"] if player["in"] else 0
            assert player["points"] == expected


@settings(max_examples=25, deadline=None)
@given(games())
def test_assam_is_always_on_the_board_and_walks_as_far_as_the_die_says(game: list[Played]) -> None:
    for played in game:
        assert played.after.assam in POSE_NAMES
        if "die" in played.facts:
            assert len(played.facts["path"]) == played.facts["die"]
            assert played.facts["path"][-1] == played.facts["assam"].split()[0]
            assert POSE_NAMES[played.after.assam] == played.facts["assam"]


@settings(max_examples=25, deadline=None)
@given(games())
def test_the_forecast_is_what_happens(game: list[Played]) -> None:
    for played in game:
        forecast = MARRAKECH.observe(played.before, None).get("forecast")
        assert (forecast is not None) == (played.before.phase in ("turn", "roll"))
        if forecast is None or "die" not in played.facts:
            continue
        assert list(forecast) == list(MARRAKECH.legal(played.before))
        faces = forecast[played.action]["faces"]
        assert [(each["face"], each["weight"]) for each in faces] == [
            (1, 1),
            (2, 2),
            (3, 2),
            (4, 1),
        ]
        expected = sum(each["weight"] * each["due"] for each in faces) / 6
        assert forecast[played.action]["mean"] == expected
        [fell] = [each for each in faces if each["face"] == played.facts["die"]]
        paid = played.facts.get("paid", {"to": None, "due": 0})
        assert (fell["to"], fell["due"]) == (paid["to"], paid["due"])
        assert tuple(fell["path"]) == played.facts["path"]
        assert f"{fell['square']} {fell['facing']}" == played.facts["assam"]


@settings(max_examples=25, deadline=None)
@given(games())
def test_everybody_still_in_lays_every_rug(game: list[Played]) -> None:
    last = game[-1].after
    laid = [last.setup.owners[field] for _, field in last.laid]
    if over(last).reason == "rugs":
        for seat in range(last.setup.seats):
            if seat not in last.gone:
                assert laid.count(seat) == last.setup.rugs
    if last.setup.piles:
        for seat, pile in enumerate(last.setup.piles):
            colours = [
                last.setup.palette[field]
                for _, field in last.laid
                if last.setup.owners[field] == seat
            ]
            assert colours == list(pile[: len(colours)])


@settings(max_examples=25, deadline=None)
@given(SETTINGS, st.integers(0, 2**32), LEAVE)
def test_replaying_gives_the_same_states(setting: Setting, seed: int, leave: float) -> None:
    game = list(random_game(setting, seed, leave))
    piles, source = dealt(setting, seed)
    state = MARRAKECH.start(setting.seats, setting.options, piles)
    for played in game:
        state, facts = play(MARRAKECH, state, played.seat, played.action, source)
        assert (state, facts) == (played.after, played.facts)


@given(st.sampled_from(sorted(SPOT_BY_ACTION)))
def test_the_text_of_a_parsed_rug_is_the_same_text(action: str) -> None:
    one, other = SPOT_BY_ACTION[action].squares
    assert f"lay:{NAMES[one]}{NAMES[other]}" == action


@given(st.sets(st.sampled_from(sorted(NAMES)), min_size=1))
def test_a_region_is_what_a_walk_from_square_to_square_finds(squares: set[int]) -> None:
    field = sum(1 << square for square in squares)
    start = min(squares)
    found, edge = {start}, [start]
    while edge:
        square = edge.pop()
        near = {square + 1, square - 1, square + 8, square - 8} & squares - found
        found |= near
        edge += near
    assert region(start, field) == sum(1 << square for square in found)


@settings(max_examples=25, deadline=None)
@given(games())
def test_the_order_of_seats(game: list[Played]) -> None:
    """The next decision is the mover's, or that of the next seat still in."""
    for played in game:
        before = MARRAKECH.pending(played.before)
        after = MARRAKECH.pending(played.after)
        assert isinstance(before, Decide)
        if isinstance(after, Decide) and after.seat != before.seat:
            seats = played.after.setup.seats
            between = range(before.seat + 1, before.seat + seats)
            following = [seat % seats for seat in between if seat % seats not in played.after.gone]
            assert after.seat == following[0]
