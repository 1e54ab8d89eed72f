"""Complete games of Ifrito, with what the judge says at the start of each turn.

For measuring how good the judge is. There is no luck in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.rules import IFRITO
from games.titles.judging import Reviews

from . import levels
from .judge import desk, settled, share_wins
from .kernel import CAPTURED, ENDED, LENGTH, MOST_ACTIONS, PICKER, PRISON, act
from .practice import DEPTH, MOST_TURNS, WIDTH, chosen, mixed
from .prospects import network
from .reading import position
from .search import CARPET_WON, GENIE_WON


def reviews(
    seats: int, options: Mapping[str, Any], games: int, seed: int, *, by_vizier: bool
) -> Reviews:
    """So many games, judged."""
    size = (games, MOST_TURNS, seats)
    shares, points = np.full(size, -1.0), np.zeros(size)
    wins = np.zeros((games, seats))
    depth, width = levels.VIZIER if by_vizier else (DEPTH, WIDTH)
    reviewed(
        tuple(network(seats)),
        position(IFRITO.observe(IFRITO.start(seats, options, ()), 0)),
        depth,
        width,
        seed << 24,
        desk(seats),
        shares,
        points,
        wins,
    )
    return Reviews(shares, points, np.zeros(size), wins)


def evaluations(seats: int, count: int) -> Callable[[], object]:
    """Work for a benchmark: to judge so many positions."""
    s = position(IFRITO.observe(IFRITO.start(seats, {}, ()), 0))
    noise, into, scores = (np.zeros(MOST_ACTIONS, np.int64) for _ in range(3))
    positions: list[np.ndarray] = []
    opening, random = s.copy(), 1
    while len(positions) < count:
        random = mixed(random)
        if s[ENDED]:
            s[:] = opening
        if s[PICKER] < 0:
            positions.append(s.copy())
        act(s, chosen(s, 1, 1, random, noise, into, scores))
    rows, weights, room = np.array(positions), tuple(network(seats)), desk(seats)
    return lambda: evaluated(weights, rows, room, np.zeros(seats))


@compiled
def evaluated(network, positions, desk, shares):
    for row in range(positions.shape[0]):
        settled(network, positions[row], desk, shares)


@compiled
def reviewed(network, opening, depth, width, seed, desk, shares, points, wins):
    """Play a game for each row of the wins."""
    s = np.zeros(LENGTH, np.int64)
    noise, into = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int64)
    scores = np.zeros(MOST_ACTIONS, np.int64)
    for game in range(wins.shape[0]):
        random = mixed(seed + game)
        s[:] = opening
        turn = 0
        while not s[ENDED]:
            if s[PICKER] < 0 and turn < MOST_TURNS:
                settled(network, s, desk, shares[game, turn])
                for seat in range(wins.shape[1]):
                    won = GENIE_WON * s[PRISON + seat] + CARPET_WON[s[CAPTURED + seat]]
                    points[game, turn, seat] = won / GENIE_WON
                turn += 1
            random = mixed(random)
            act(s, chosen(s, depth, width, random, noise, into, scores))
        share_wins(s, wins[game])
