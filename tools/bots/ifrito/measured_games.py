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
from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots.judge import desk, judged
from games.titles.ifrito.bots.prospects import network
from games.titles.ifrito.bots.search import MERCHANT, VIZIER
from tools.bots.ifrito.played_games import Choose, play_game, search_player
from tools.bots.ifrito.self_play import FAST_VIZIER_WIDTHS, game_with_random_opening, network_player
from tools.bots.measured_games import MeasuredGames

# What a captured carpet is worth in genies to somebody who only counts: three of them win, or nine.
CARPET = 3


def measure_games(
    seats: int,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    *,
    by_vizier: bool,
    careful: bool = False,
    hurried: bool = False,
) -> MeasuredGames:
    """So many games, judged. Nothing in them is luck, so there is nothing to value with care.

    A Vizier takes seconds for a game; those in a hurry, who look less far and at fewer actions,
    make thousands of games possible.
    """
    room, weights = desk(seats), tuple(network(seats))

    def table(rng: np.random.Generator) -> Choose:
        if by_vizier:
            return search_player(FAST_VIZIER_WIDTHS if hurried else VIZIER, rng)
        return network_player(network(seats), rng)

    courses = [
        game_with_random_opening(seats, np.random.default_rng((seed << 24) + game), table)
        for game in range(games)
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
    return MeasuredGames(shares, points, np.zeros_like(shares), wins)


def evaluation_workload(seats: int, count: int) -> Callable[[], object]:
    """Work for a benchmark: to judge so many positions."""
    rng = np.random.default_rng(1)
    turns: list[np.ndarray] = []
    while len(turns) < count:
        turns += list(play_game(seats, search_player(MERCHANT, rng)).turns)
    rows, weights, room = np.array(turns[:count]), tuple(network(seats)), desk(seats)
    return lambda: evaluate_rows(weights, rows, room, np.zeros(seats))


@compiled
def evaluate_rows(network, positions, desk, shares):
    for row in range(positions.shape[0]):
        judged(network, positions[row], desk, shares)
