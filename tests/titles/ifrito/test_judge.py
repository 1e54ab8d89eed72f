"""The judge of Ifrito: true shares, and a search that keeps within its budget."""

from __future__ import annotations

import numpy as np
import pytest

from games.engine.interface import Over
from games.titles.ifrito.bots import deepening, judge, practice, prospects
from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots.reading import position
from games.titles.ifrito.rules import IFRITO
from games.titles.training import Plan
from tests.engine.random_games import Setting, random_game
from tests.titles.ifrito.positions import position as set_up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shares_are_shares_whatever_is_to_be_decided(seats: int) -> None:
    kinds = set()
    for step in list(random_game(Setting(IFRITO, seats, {}), seed=5, leave=0.003))[::3]:
        seen = IFRITO.observe(step.before, None)
        kinds.add(seen["pending"]["kind"])
        shares = prospects.shares(seen)
        assert sum(shares) == pytest.approx(1, abs=1e-9)
        for share, player in zip(shares, seen["players"], strict=True):
            assert 0 < share <= 1 if player["in"] else share == 0
    assert "turn" in kinds


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_end_is_shared_as_the_engine_ranks_it(seats: int) -> None:
    for seed in range(4):
        *_, last = random_game(Setting(IFRITO, seats, {}), seed)
        over = IFRITO.pending(last.after)
        assert isinstance(over, Over)
        s = position(IFRITO.observe(last.after, None))
        shares = np.zeros(seats)
        judge.share_wins(s, shares)
        first = over.ranking[0]
        assert shares.tolist() == [1 / len(first) if s in first else 0 for s in range(seats)]


def test_a_win_in_one_is_a_whole_share() -> None:
    state = set_up(
        {"Ua1": "N", "Uc3": "E S", "Le5": "S"},
        {"Ua2": "N", "Ue5": "S", "Le1": "N"},
        captured=(2, 0),
    )
    seen = IFRITO.observe(state, 0)
    for thorough in (False, True):
        best = prospects.actions(seen, thorough=thorough)[0]
        assert best == ("capture:Ua1-Ua2", (1.0, 0.0))


@pytest.mark.parametrize("seats", [2, 4])
def test_searching_leaves_a_position_as_it_was(seats: int) -> None:
    """The others' replies are tried with the turn in their hands."""
    step = list(random_game(Setting(IFRITO, seats, {}), seed=1))[25]
    s = position(IFRITO.observe(step.before, None))
    before = s.copy()
    into, scores = np.zeros(k.MOST_ACTIONS, np.int64), np.zeros(k.MOST_ACTIONS, np.int64)
    noise = np.zeros(k.MOST_ACTIONS, np.int64)
    for budget in (1, 2_000, 20_000):
        count = deepening.weigh(s, deepening.WIDTHS, budget, noise, into, scores)
        assert (s == before).all()
        assert count == len(IFRITO.legal(step.before))


def test_the_same_training_makes_the_same_weights() -> None:
    plan = Plan(elder_games=4, own_games=2, elder_chunk=2, own_chunk=1, repeats=2)
    one, other = (practice.train(2, 3, plan, lambda line: None) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
