"""Complete games of Ifrito, with what the judge says at the beginning of each turn.

For measuring how good the judge is. With Viziers at the table what they do is their own; nobody
there knows what the judge thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from games.titles.compiling import compiled
from games.titles.judging import Reviews

from . import kernel as k
from .judge import best_action, desk, judged
from .prospects import odds
from .rounds import Choose, played, searching
from .search import MERCHANT, VIZIER

# What a captured carpet is worth in genies to somebody who only counts: three of them win, or nine.
CARPET = 3
# So many actions at the beginning are a Merchant's, or all games of the judge were the same.
OPENING = 4


def reviews(
    seats: int,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    *,
    by_vizier: bool,
    careful: bool = False,
) -> Reviews:
    """So many games, judged. Nothing in them is luck, so there is nothing to value with care."""
    room, weights = desk(seats), odds(seats)
    courses = []
    for game in range(games):
        rng = np.random.default_rng((seed << 24) + game)
        choose = searching(VIZIER, rng) if by_vizier else _by_judge(seats, rng)
        courses.append(played(seats, choose))
    longest = max(len(course.turns) for course in courses)
    shares = np.full((games, longest, seats), -1.0)
    points = np.zeros_like(shares)
    for game, course in enumerate(courses):
        for turn, s in enumerate(course.turns):
            judged(weights, s, room, shares[game, turn])
            prison, captured = s[k.PRISON :][:seats], s[k.CAPTURED :][:seats]
            points[game, turn] = prison + CARPET * captured
    wins = np.array([course.wins for course in courses])
    return Reviews(shares, points, np.zeros_like(shares), wins)


def evaluations(seats: int, count: int) -> Callable[[], object]:
    """Work for a benchmark: to judge so many positions."""
    rng = np.random.default_rng(1)
    turns: list[np.ndarray] = []
    while len(turns) < count:
        turns += list(played(seats, searching(MERCHANT, rng)).turns)
    rows, weights, room = np.array(turns[:count]), odds(seats), desk(seats)
    return lambda: evaluated(weights, rows, room, np.zeros(seats))


@compiled
def evaluated(odds, positions, desk, shares):
    for row in range(positions.shape[0]):
        judged(odds, positions[row], desk, shares)


def _by_judge(seats: int, rng: np.random.Generator) -> Choose:
    weights, room, best = odds(seats), desk(seats), np.zeros(seats)
    opening, acted = searching(MERCHANT, rng), 0

    def choose(s: np.ndarray) -> int:
        nonlocal acted
        acted += 1
        return opening(s) if acted <= OPENING else int(best_action(weights, s, room, best))

    return choose
