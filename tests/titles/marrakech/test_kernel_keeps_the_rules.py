"""The kernel and the engine play the same games: every option, number of seats and leaver."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from games.engine.interface import LEAVING, Chance, Over
from games.engine.record import replay
from games.titles.marrakech.bots import kernel as k
from games.titles.marrakech.bots.reading import number, position
from games.titles.marrakech.rules import MARRAKECH
from games.titles.marrakech.rules.geometry import DIE
from games.titles.marrakech.rules.state import OVER, State
from tools.bots.marrakech.random_games import play_random_games
from tools.random_games import simulated_game

pytestmark = pytest.mark.usefixtures("compiled")

OPTIONS = [
    {"insolvency": insolvency, "turning": turning, "cover_own": cover_own}
    for insolvency, turning, cover_own in itertools.product(
        ("out", "play_on"), ("before", "after"), (False, True)
    )
]
RECORDS = 5


def row(state: State) -> np.ndarray:
    """The kernel's position for a state: what is seen of it, and what is not."""
    setup = state.setup
    s = np.zeros(k.LENGTH, np.int64)
    if state.phase != OVER:
        s[:] = position(MARRAKECH.observe(state, None))
    else:
        s[k.PHASE] = k.OVER
    s[k.PURSE : k.PURSE + setup.seats] = state.dirhams
    for seat in range(setup.seats):
        pile = [setup.colours[seat].index(c) for c in setup.piles[seat]] if setup.piles else []
        left = pile[setup.rugs - state.rugs[seat] :]
        s[k.PILE + seat] = sum(bit << place for place, bit in enumerate(left))
        s[k.GONE + seat] = state.gone.index(seat) + 1 if seat in state.gone else 0
    return s


def opening(seats: int, options: dict[str, Any]) -> np.ndarray:
    s = np.zeros(k.LENGTH, np.int64)
    k.start(
        s,
        seats,
        options["insolvency"] == "out",
        options["turning"] == "after",
        options["cover_own"],
    )
    return s


def advance(s: np.ndarray, seat: int, action: str, die: int | None) -> None:
    if action in LEAVING:
        k.leave(s, seat)
    elif s[k.PHASE] == k.LAY:
        k.lay(s, number(action))
    elif s[k.PHASE] == k.FACE:
        k.face_away(s, number(action))
    else:
        k.walk(s, number(action), DIE.index(die))


def legal(s: np.ndarray) -> list[int]:
    if s[k.PHASE] == k.LAY:
        into = np.zeros(12, np.int64)
        return list(into[: k.spots(s, into)])
    return {k.TURN: [-1, 1, 0], k.ROLL: [0], k.FACE: [-1, 1], k.OVER: []}[int(s[k.PHASE])]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda each: "-".join(map(str, each.values())))
def test_move_by_move(seats: int, options: dict[str, Any]) -> None:
    for seed in range(RECORDS):
        record = simulated_game(
            MARRAKECH,
            seats=seats,
            options=options,
            seed=f"kernel {seed}",
            leave=0.01 if seed % 3 == 0 else 0.0,
        )
        s = opening(seats, options)
        steps = list(replay(record))
        s[k.PILE : k.PILE + 4] = row(steps[0].before)[k.PILE : k.PILE + 4]
        for step in steps:
            assert s.tolist() == row(step.before).tolist()
            assert legal(s) == [number(action) for action in MARRAKECH.legal(step.before)]
            advance(s, step.move.seat, step.move.action, step.move.facts.get("die"))
        assert s[k.PHASE] == k.OVER
        same_end(s, steps[-1].after)


def same_end(s: np.ndarray, state: State) -> None:
    over = MARRAKECH.pending(state)
    assert isinstance(over, Over)
    seats = range(state.setup.seats)
    assert tuple(k.points(s, seat) for seat in seats) == over.tallies["points"]
    assert tuple(s[k.PURSE : k.PURSE + len(seats)]) == over.tallies["dirhams"]
    rank = {seat: index for index, rank in enumerate(over.ranking) for seat in rank}
    for one, other in itertools.product(seats, seats):
        higher = (rank[one] < rank[other]) - (rank[one] > rank[other])
        assert k.ahead(s, one, other) == higher
    wins = np.zeros(len(seats))
    k.share_wins(s, wins)
    first = over.ranking[0]
    assert wins.tolist() == [1 / len(first) if seat in first else 0 for seat in seats]


def test_every_face_lands_where_the_engine_lands() -> None:
    """The records show one face of each roll; here are all six, from states on the way."""
    options = OPTIONS[0]
    record = simulated_game(MARRAKECH, seats=4, options=options, seed="faces")
    for step in itertools.islice(replay(record), 40):
        if step.move.facts.get("die") is None:
            continue
        rolling, _ = MARRAKECH.decide(step.before, step.move.seat, step.move.action)
        assert isinstance(MARRAKECH.pending(rolling), Chance)
        for index, face in enumerate(DIE):
            s = row(step.before)
            k.walk(s, number(step.move.action), index)
            landed, _ = MARRAKECH.land(rolling, face)
            assert s.tolist() == row(landed).tolist()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_are_complete_and_fair(seats: int) -> None:
    wins = play_random_games(2000, seats, True, False, False, 1)
    assert wins.sum() == pytest.approx(2000)
    assert wins.min() > 0.15 * 2000
    assert (wins == play_random_games(2000, seats, True, False, False, 1)).all()


def test_a_shuffled_pile_has_its_rugs_in_every_order() -> None:
    piles = [k.shuffled(2, 2, seed) for seed in range(600)]
    assert {bin(pile).count("1") for pile in piles} == {2}
    counts = [piles.count(pile) for pile in set(piles)]
    assert len(counts) == 6
    assert min(counts) > 60


def test_random_numbers_below_a_bound_are_even() -> None:
    number, counts = 1, [0] * 6
    for _ in range(6000):
        number = k.mixed(number)
        counts[k.below(number, 6)] += 1
    assert min(counts) > 850
    assert max(counts) < 1150
