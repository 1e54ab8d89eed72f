"""The search of Ifrito's strongest player."""

from __future__ import annotations

import numpy as np
import pytest

from games.titles.ifrito.bots import deepening
from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots.reading import position
from games.titles.ifrito.rules import IFRITO
from tests.engine.random_games import Setting, random_game

pytestmark = pytest.mark.usefixtures("compiled")


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
