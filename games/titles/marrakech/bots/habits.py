"""How somebody else will choose, as far as one can tell.

To take the others for players by the network is to expect too much of them: that they see what it
sees, and do just that. They like what wins, and what brings points at once; the more they like an
action, the likelier it is, and all of them count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.titles.compiling import compiled
from games.titles.network import LOWEST, exponential

from .features import DISTINCT, FACES, ODDS
from .judge import after_lay, judged
from .judgement import POINT, fare, outlook
from .kernel import ASSAM, LAY, LENGTH, MOVER, PHASE, ROLL, SEATS, asking, lay, spots, turned, walk
from .tables import MOST_SPOTS, SIDES

WAYS = 3


class Habits(NamedTuple):
    """How much likelier, as a power of e, an action is for each win that the network sees in it
    and for each point that it is worth at once: rugs and turns of Assam of the others, and what
    oneself will do later, where points do not count."""

    rug_win: float
    rug_point: float
    turn_win: float
    turn_point: float
    own_win: float


def notes(seats):
    """Room for guesses: shares and liking of rugs, their spots, shares of turns and of a face;
    rows of positions."""
    return (
        np.zeros((MOST_SPOTS, seats)),
        np.zeros(MOST_SPOTS),
        np.zeros(MOST_SPOTS, np.int64),
        np.zeros((WAYS, seats)),
        np.zeros(seats),
        np.zeros((2, LENGTH), np.int64),
    )


@compiled
def blended(shares, liking, count, mean):
    """Write what these actions come to, each as likely as it is liked; answer the likeliest."""
    likeliest = 0
    for index in range(1, count):
        if liking[index] > liking[likeliest]:
            likeliest = index
    total = 0.0
    mean[:] = 0.0
    for index in range(count):
        weight = exponential(max(liking[index] - liking[likeliest], LOWEST))
        total += weight
        for seat in range(mean.size):
            mean[seat] += weight * shares[index, seat]
    for seat in range(mean.size):
        mean[seat] /= total
    return likeliest


@compiled
def guessed_rug(network, s, me, habits, desk, notes, mean, planned):
    """Write what the rugs that the mover may lay come to, and the shares after the likeliest;
    answer its spot."""
    shares, liking, into, _, _, rows = notes
    mover, row = s[MOVER], rows[1]
    count = spots(s, into)
    for index in range(count):
        after_lay(network, s, into[index], desk, shares[index])
        if mover == me:
            liking[index] = habits.own_win * shares[index, mover]
        else:
            row[:] = s
            lay(row, into[index])
            liking[index] = habits.rug_win * shares[index, mover]
            liking[index] += habits.rug_point * outlook(row, mover) / POINT
    likeliest = blended(shares, liking, count, mean)
    planned[:] = shares[likeliest]
    return into[likeliest]


@compiled
def first_way(s):
    """The first of the turns that the mover may give Assam; they follow each other."""
    return 0 if s[PHASE] == ROLL else -1


@compiled
def guessed_turn(network, s, me, habits, desk, notes, plan, planned, mean):
    """Write what a turn of the mover comes to, and, by way to turn and value of the die, the
    likeliest rug with the shares after it; answer which way is the likeliest."""
    _, liking, _, shares, found, rows = notes
    mover, after, first = s[MOVER], rows[0], first_way(s)
    squares = asking(s, mover)
    ways = 1 - 2 * first
    for way in range(ways):
        shares[way] = 0.0
        for index in range(DISTINCT):
            after[:] = s
            walk(after, first + way, FACES[index])
            if after[PHASE] == LAY:
                plan[way, index] = guessed_rug(
                    network, after, me, habits, desk, notes, found, planned[way, index]
                )
            else:
                judged(network, after, desk, found)
                planned[way, index] = found
            for seat in range(s[SEATS]):
                shares[way, seat] += ODDS[index] * found[seat]
    for way in range(ways):
        if mover == me:
            liking[way] = habits.own_win * shares[way, mover]
        else:
            cost = fare(s, turned(s[ASSAM], first + way), squares) / SIDES
            liking[way] = habits.turn_win * shares[way, mover] - habits.turn_point * cost
    return blended(shares, liking, ways, mean)
