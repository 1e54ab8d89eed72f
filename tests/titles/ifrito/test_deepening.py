"""The search of Ifrito's strongest player."""

from __future__ import annotations

import numpy as np
import pytest

from games.titles.ifrito.bots import deepening, notebook, search
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
        notes = notebook.blank()
        count = deepening.weigh(s, deepening.WIDTHS[seats], budget, noise, notes, into, scores)
        assert (s == before).all()
        assert count == len(IFRITO.legal(step.before))


@pytest.mark.parametrize("number", [6, 9, 12, 15])
def test_what_was_noted_changes_nothing(number: int) -> None:
    """As long as nothing can be captured, it finds what the plain search finds that tries all."""
    step = list(random_game(Setting(IFRITO, 2, {}), seed=number))[number]
    s = position(IFRITO.observe(step.before, None))
    noise = np.zeros(k.MOST_ACTIONS, np.int64)
    into, scores, deeper = (np.zeros(k.MOST_ACTIONS, np.int64) for _ in range(3))
    widths = np.full(3, k.MOST_ACTIONS, np.int64)
    for depth in (1, 2):
        count = search.weigh(s, widths[:depth], noise, into, scores)
        notes = notebook.blank()
        deepening.weigh(s, widths[: depth + 1], 1 << 60, noise, notes, into, deeper)
        assert deeper[:count].max() == scores[:count].max()
        assert depth == 1 or notes[:, notebook.NUMBER].any()


def test_a_win_by_force_is_seen() -> None:
    step = list(random_game(Setting(IFRITO, 2, {}), seed=3))[40]
    s = position(IFRITO.observe(step.before, None))
    s[k.PRISON + k.decider(s)] = 8
    noise = np.zeros(k.MOST_ACTIONS, np.int64)
    into, scores = np.zeros(k.MOST_ACTIONS, np.int64), np.zeros(k.MOST_ACTIONS, np.int64)
    notes = notebook.blank()
    count = deepening.weigh(s, deepening.WIDTHS[2], deepening.BUDGET, noise, notes, into, scores)
    assert scores[:count].max() == search.WIN
