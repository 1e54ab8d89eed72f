"""Complete games of Ifrito, with what the judge says at the beginning of each turn.

For measuring how good the judge is. With Viziers at the table what they do is their own; nobody
there knows what the judge thinks. No die makes games differ, so they begin as those do that it
learned from: half of them with random actions, and what is measured begins where those end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from games.titles.compiling import compiled
from games.titles.judging import Reviews

from . import kernel as k
from .judge import desk, judged
from .practice import IN_A_HURRY, judging, varied
from .prospects import network
from .rounds import Choose, played, searching
from .search import MERCHANT, VIZIER

# What a captured carpet is worth in genies to somebody who only counts: three of them win, or nine.
CARPET = 3


def reviews(
    seats: int,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    *,
    by_vizier: bool,
    careful: bool = False,
    hurried: bool = False,
) -> Reviews:
    """So many games, judged. Nothing in them is luck, so there is nothing to value with care.

    A Vizier takes seconds for a game; those in a hurry, who look less far and at fewer actions,
    make thousands of games possible.
    """
    room, weights = desk(seats), tuple(network(seats))

    def table(rng: np.random.Generator) -> Choose:
        if by_vizier:
            return searching(IN_A_HURRY if hurried else VIZIER, rng)
        return judging(network(seats), rng)

    courses = [
        varied(seats, np.random.default_rng((seed << 24) + game), table) for game in range(games)
    ]
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
    rows, weights, room = np.array(turns[:count]), tuple(network(seats)), desk(seats)
    return lambda: evaluated(weights, rows, room, np.zeros(seats))


@compiled
def evaluated(network, positions, desk, shares):
    for row in range(positions.shape[0]):
        judged(network, positions[row], desk, shares)
