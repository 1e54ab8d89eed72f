"""Before the last rug the judge of Marrakech counts: what it says there is what the rules say."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from games.engine.interface import Chance, Decide, Over
from games.titles.marrakech.bots import prospects
from games.titles.marrakech.rules import MARRAKECH
from games.titles.marrakech.rules.state import State
from tests.engine.random_games import SETTINGS, Setting, name, random_game

pytestmark = pytest.mark.usefixtures("compiled")

OURS = [setting for setting in SETTINGS if setting.rules is MARRAKECH]


def before_the_last_roll(setting: Setting, seed: int) -> State | None:
    """Where one rug is left, and Assam has not walked for it; None if the game ended before."""
    for step in random_game(setting, seed=seed):
        seen = MARRAKECH.observe(step.before, None)
        left = sum(sum(player["rugs"].values()) for player in seen["players"])
        if left == 1 and seen["pending"]["kind"] in ("turn", "roll"):
            return step.before
    return None


@cache
def won_by(state: State, seat: int) -> Fraction:
    """The seat's share if it decides all that is left, by trying everything with the engine."""
    match MARRAKECH.pending(state):
        case Over(ranking=ranking):
            return Fraction(seat in ranking[0], len(ranking[0]))
        case Chance(faces=faces):
            ends = [won_by(MARRAKECH.land(state, face)[0], seat) for face in faces]
            return Fraction(sum(ends), len(faces))
        case Decide(seat=decider):
            assert decider == seat
            return max(
                won_by(MARRAKECH.decide(state, seat, action)[0], seat)
                for action in MARRAKECH.legal(state)
            )


@pytest.mark.parametrize("setting", OURS, ids=name)
def test_before_the_last_roll_shares_are_what_can_be_won(setting: Setting) -> None:
    states = [before_the_last_roll(setting, seed) for seed in range(40)]
    found = [state for state in states if state is not None][:8]
    assert found
    for state in found:
        seen = MARRAKECH.observe(state, None)
        mover = seen["pending"]["seat"]
        shares = prospects.shares(seen)
        assert sum(shares) == pytest.approx(1, abs=1e-6)
        assert shares[mover] == pytest.approx(float(won_by(state, mover)), abs=1e-6)
        for thorough in (False, True):
            best = prospects.actions(seen, thorough=thorough)[0]
            assert best.shares[mover] == pytest.approx(shares[mover], abs=1e-6)


def margin(state: State, seat: int) -> Fraction:
    """How far the seat ends ahead of the best other, by the rug that is best for that."""
    match MARRAKECH.pending(state):
        case Over(tallies=tallies):
            points = list(tallies["points"])
            return Fraction(points.pop(seat) - max(points))
        case Chance(faces=faces):
            ends = [margin(MARRAKECH.land(state, face)[0], seat) for face in faces]
            return Fraction(sum(ends), len(faces))
        case Decide():
            return max(margins(state, seat).values())


def margins(state: State, seat: int) -> dict[str, Fraction]:
    return {
        action: margin(MARRAKECH.decide(state, seat, action)[0], seat)
        for action in MARRAKECH.legal(state)
    }


@pytest.mark.parametrize("kind", ["turn", "lay"])
def test_who_has_lost_anyway_goes_for_points(kind: str) -> None:
    setting = Setting(MARRAKECH, 4, MARRAKECH.options({"insolvency": "play_on"}))
    lost = 0
    for seed in range(60):
        *_, turn, last = random_game(setting, seed=seed)
        state = last.before if kind == "lay" else turn.before
        if won_by(state, last.seat):
            continue
        seen, expected = MARRAKECH.observe(state, None), margins(state, last.seat)
        for thorough in (False, True):
            best = prospects.actions(seen, thorough=thorough)[0].action
            assert expected[best] == max(expected.values())
        lost += len(set(expected.values())) > 1
    assert lost > 10
