"""Random games of Marrakech by the compiled rules, to see how fast these are; and how each game
of the tools begins."""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.marrakech.bots.kernel import (
    ASSAM,
    FACE,
    LAY,
    LENGTH,
    OVER,
    PHASE,
    PILE,
    barred,
    below,
    face_away,
    lay,
    mixed,
    share_wins,
    shuffled,
    start,
    walk,
)
from games.titles.marrakech.bots.tables import REACHED, REACHED_COUNT, SIDES


@compiled
def start_game(s, seats, insolvent_out, turn_after, cover_own, random):
    """Set up a table, between two players with shuffled piles. Returns the last random number."""
    start(s, seats, insolvent_out, turn_after, cover_own)
    if seats == 2:
        for seat in range(2):
            random = mixed(random)
            s[PILE + seat] = shuffled(12, 12, random)
    return random


@compiled
def play_random_games(games, seats, insolvent_out, turn_after, cover_own, seed):
    """Complete games of random legal actions; the wins of each seat."""
    s = np.zeros(LENGTH, np.int64)
    wins = np.zeros(seats)
    random = mixed(seed)
    for _ in range(games):
        random = start_game(s, seats, insolvent_out, turn_after, cover_own, random)
        while s[PHASE] != OVER:
            random = mixed(random)
            if s[PHASE] == LAY:
                square = s[ASSAM] >> 2
                while True:
                    spot = REACHED[square, below(random, REACHED_COUNT[square])]
                    if not barred(s, spot):
                        break
                    random = mixed(random)
                lay(s, spot)
            elif s[PHASE] == FACE:
                face_away(s, 2 * (random & 1) - 1)
            else:
                quarters = 0 if turn_after else below(random >> 32, 3) - 1
                walk(s, quarters, below(random, SIDES))
        share_wins(s, wins)
    return wins
