"""Games of Ifrito to learn from: the position at the beginning of each turn, and who won.

The players search with the worth that Merchants and Viziers go by: some one action ahead, some
two. Half of the games begin with random actions, so that many kinds of positions are seen; what
is learned begins where those end.

What each feature adds to the odds is fitted to the outcomes by maximum likelihood. That takes a
few hundred games, where a network would need many thousands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from . import kernel as k
from .features import FEATURES, describe
from .judge import MOVER, WAITING, Weights
from .rounds import Course, astray, played, searching
from .search import MERCHANT

WEIGHTS = Path(__file__).parent / "weights"
# How many actions of each position are looked at, one deeper after the other.
SHORT_SIGHT = np.full(1, 4, np.int64)
MOST_ASTRAY = 24
STEPS = 8
# How much a weight is held back, against so many positions.
RESTRAINT = 100.0


@dataclass(frozen=True, slots=True)
class Plan:
    elder_games: int
    """Of Merchants."""
    own_games: int
    """Of players who look two actions ahead."""


PLAN = Plan(elder_games=500, own_games=300)


class Lessons(NamedTuple):
    """Positions, with seats in their order from the mover."""

    features: np.ndarray
    wins: np.ndarray


def train(seats: int, seed: int, plan: Plan, report: Callable[[str], None]) -> Weights:
    """The weights for this many players."""
    first = seed << 24
    elders = lessons(seats, plan.elder_games, first, MERCHANT)
    report(f"positions of Merchants: {len(elders.wins):,}")
    own = lessons(seats, plan.own_games, first + plan.elder_games, SHORT_SIGHT)
    report(f"positions of players who look two actions ahead: {len(own.wins):,}")
    return fitted(Lessons(*map(np.concatenate, zip(elders, own, strict=True))), report)


def lessons(seats: int, games: int, seed: int, widths: np.ndarray) -> Lessons:
    """What so many games teach."""
    parts = [_lesson(seats, np.random.default_rng(seed + game), widths) for game in range(games)]
    return Lessons(*map(np.concatenate, zip(*parts, strict=True)))


def _lesson(seats: int, rng: np.random.Generator, widths: np.ndarray) -> Lessons:
    wild = max(0, int(rng.integers(-MOST_ASTRAY, MOST_ASTRAY)))
    anything, sensible, acted = astray(rng), searching(widths, rng), 0

    def choose(s: np.ndarray) -> int:
        nonlocal acted
        acted += 1
        return anything(s) if acted <= wild else sensible(s)

    return described(played(seats, choose), wild)


def described(course: Course, first: int) -> Lessons:
    """The turns from this one on, as the judge sees them, with the outcome."""
    turns, seats = course.turns[first:], len(course.wins)
    order = (turns[:, k.TURN, None] + np.arange(seats)) % seats
    features = np.zeros((len(turns), seats, FEATURES), np.int64)
    for s, own, rows in zip(turns, order, features, strict=True):
        for seat, x in zip(own, rows, strict=True):
            describe(s, seat, x)
    return Lessons(features, course.wins[order])


def fitted(lessons: Lessons, report: Callable[[str], None]) -> Weights:
    """Newton's method on the likelihood of the outcomes, with small weights preferred."""
    count, seats, _ = lessons.features.shape
    scale = np.maximum(lessons.features.std(axis=(0, 1)), 0.1)
    by_role = np.zeros((count, seats, 2, FEATURES))
    by_role[:, 0, MOVER] = lessons.features[:, 0] / scale
    by_role[:, 1:, WAITING] = lessons.features[:, 1:] / scale
    x = by_role.reshape(count, seats, 2 * FEATURES)
    weights = np.zeros(2 * FEATURES)
    for step in range(1, STEPS + 1):
        logits = x @ weights
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        loss = -(lessons.wins * np.log(np.maximum(shares, 1e-12))).sum(axis=1).mean()
        report(f"step {step}: loss {loss:.5f}")
        rows = x.reshape(-1, 2 * FEATURES)
        slope = rows.T @ (lessons.wins - shares).ravel() - RESTRAINT * weights
        mean = (shares[:, :, None] * x).sum(axis=1)
        bend = rows.T @ (rows * shares.reshape(-1, 1)) - mean.T @ mean
        weights += np.linalg.solve(bend + RESTRAINT * np.eye(len(weights)), slope)
    return Weights(weights.reshape(2, FEATURES) / scale)
