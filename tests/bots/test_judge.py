"""The judge's door: every game that says it is judged."""

from __future__ import annotations

from itertools import islice

import pytest

from games.bots import judge
from games.engine.games import RULESETS
from tests.engine.random_games import Setting, random_game

pytestmark = pytest.mark.usefixtures("compiled")

JUDGED = [key for key in RULESETS if judge.is_judged(key)]


def test_an_unknown_game_is_not_judged() -> None:
    assert JUDGED
    assert not judge.is_judged("chess")


@pytest.mark.parametrize("game", JUDGED)
def test_a_judge_answers_for_every_number_of_players(game: str) -> None:
    rules, versions = RULESETS[game], set()
    for seats in rules.seat_counts:
        versions.add(judge.version(game, seats))
        for step in islice(random_game(Setting(rules, seats, rules.options({})), 3), 0, 30, 7):
            seen = rules.observe(step.before, None)
            shares = judge.shares(seen)
            assert len(shares) == seats
            assert judge.shares(seen) == shares
            best = judge.actions(seen)[0]
            assert best.action in seen["legal"]
            assert best.shares[step.seat] == max(
                each.shares[step.seat] for each in judge.actions(seen)
            )
            for face in judge.faces(seen, best.action) if seen.get("forecast") else ():
                assert sum(face.shares) == pytest.approx(1, abs=1e-9)
    assert len(versions) == len(rules.seat_counts)
