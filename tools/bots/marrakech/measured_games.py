"""Complete games of Marrakech, with what the judge says before each roll and what it brought.

For measuring how good the judge is. With Viziers at the table what they do is their own; nobody
there knows what the judge thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from games.titles.compiling import compiled
from games.titles.marrakech.bots import grand_vizier, judgement, levels, search
from games.titles.marrakech.bots.features import DISTINCT
from games.titles.marrakech.bots.judge import desk, faced, judged, laid, rolled, turned_best
from games.titles.marrakech.bots.kernel import (
    FACE,
    LAY,
    LENGTH,
    OVER,
    PHASE,
    ROLL,
    below,
    face_away,
    lay,
    mixed,
    points,
    share_wins,
    walk,
)
from games.titles.marrakech.bots.prospects import CAREFUL, QUICK, network
from games.titles.marrakech.bots.tables import FACE_OF_SIDE, MAX_ROLLS, MOST_SPOTS, SIDES
from tools.bots.marrakech.random_games import start_game
from tools.bots.marrakech.self_play import PLAYOUTS, random_setup
from tools.bots.measured_games import MeasuredGames


def measure_games(
    seats: int,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    *,
    by_vizier: bool,
    hurried: bool = False,
    careful: bool = False,
) -> MeasuredGames:
    """So many games, judged; with care, rolls are valued a turn further ahead. Viziers in a hurry
    are those that the network has practised with."""
    size = (games, MAX_ROLLS, seats)
    shares, scores, luck = np.zeros(size), np.zeros(size), np.zeros(size)
    wins = np.zeros((games, seats))
    rules = (
        (options["insolvency"] == "out")
        | (options["turning"] == "after") << 1
        | bool(options["cover_own"]) << 2
    )
    play_measured_games(
        tuple(network(seats)),
        seats,
        rules,
        (PLAYOUTS if hurried else levels.PLAYOUTS) if by_vizier else 0,
        CAREFUL if careful else QUICK,
        games,
        seed << 24,
        desk(seats),
        grand_vizier.study(seats),
        shares,
        scores,
        luck,
        wins,
    )
    return MeasuredGames(shares, scores, luck, wins)


def evaluation_workload(seats: int, count: int) -> Callable[[], object]:
    """Work for a benchmark: to judge so many positions."""
    positions: list[np.ndarray] = []
    s, random = np.zeros(LENGTH, np.int64), 1
    while len(positions) < count:
        random_setup(s, seats, random)
        while s[PHASE] != OVER:
            random = mixed(random)
            action = judgement.merchant(s, random)
            if s[PHASE] == LAY:
                lay(s, action)
            elif s[PHASE] == FACE:
                face_away(s, action)
            else:
                positions.append(s.copy())
                walk(s, action, below(mixed(random), 6))
    rows, weights, room = np.array(positions[:count]), tuple(network(seats)), desk(seats)
    return lambda: evaluate_rows(weights, rows, room, np.zeros(seats))


@compiled
def evaluate_rows(network, positions, desk, shares):
    for row in range(positions.shape[0]):
        judged(network, positions[row], desk, shares)


@compiled
def play_measured_games(
    network,
    seats,
    options,
    playouts,
    effort,
    games,
    seed,
    desk,
    study,
    shares,
    scores,
    luck,
    wins,
):
    """Play so many games; without playouts the players go by the network.

    By game, roll and seat: the shares and the points before the roll (-1 where there is none),
    and the luck of the roll; by game the outcome.
    """
    _, _, depth, breadth = effort
    s = np.zeros(LENGTH, np.int64)
    faces, mean, best = np.zeros((DISTINCT, seats)), np.zeros(seats), np.zeros(seats)
    actions = np.zeros(MOST_SPOTS, np.int64)
    values, margins = np.zeros(MOST_SPOTS), np.zeros(MOST_SPOTS)
    for game in range(games):
        random = start_game(
            s, seats, options & 1, options >> 1 & 1, options >> 2 & 1, mixed(seed + game)
        )
        roll = 0
        while s[PHASE] != OVER:
            random = mixed(random)
            action = 0
            if playouts and s[PHASE] != ROLL:
                search.weigh(s, random, playouts, levels.ROLLS, actions, values, margins)
                action = actions[0]
            if s[PHASE] == LAY:
                lay(s, action if playouts else laid(network, s, desk, best))
            elif s[PHASE] == FACE:
                face_away(s, action if playouts else faced(network, s, desk, best))
            else:
                judged(network, s, desk, shares[game, roll])
                for seat in range(seats):
                    scores[game, roll, seat] = points(s, seat)
                if playouts:
                    rolled(network, s, action, desk, faces, mean)
                else:
                    action = turned_best(network, s, desk, faces, mean)
                if depth:
                    grand_vizier.weigh_faces(
                        network, s, action, depth, breadth, None, desk, study, faces, mean
                    )
                random = mixed(random)
                face = below(random, SIDES)
                luck[game, roll] = faces[FACE_OF_SIDE[face]] - mean
                walk(s, action, face)
                roll += 1
        for rest in range(roll, MAX_ROLLS):
            shares[game, rest] = -1.0
            luck[game, rest] = 0.0
        wins[game] = 0.0
        share_wins(s, wins[game])
