"""The win share of every seat of Marrakech, by the network, one turn deep.

Before a roll the network itself judges; the last rug is not judged but counted. Where somebody is
to lay or to turn, everybody does what the network likes best for them; where a die is to fall, all
its faces count by their odds.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.network import FIRST, SECOND, layers, softmax

from .ending import is_counted, last_lay, last_roll, table
from .features import COLUMNS, DISTINCT, FACES, ODDS, VISIT, describe, width
from .kernel import (
    ASSAM,
    FACE,
    LAY,
    LENGTH,
    MOVER,
    OVER,
    PHASE,
    ROLL,
    SEATS,
    barred,
    face_away,
    lay,
    share_wins,
    walk,
)
from .tables import REACHED, REACHED_COUNT, SIZE

MOST_SEATS = 4


def desk(seats, counts=True):
    """Room to think in: what the functions below write to and read from, over and over. Who does
    not count lets the network judge to the end, as those do whom it learns from."""
    single = np.float32
    survey = (
        VISIT,
        np.zeros(SIZE, single),
        np.zeros(SIZE, np.int64),
        np.zeros((MOST_SEATS, COLUMNS), single),
        np.zeros((MOST_SEATS, 4), np.int64),
        np.zeros(MOST_SEATS, single),
        np.zeros(MOST_SEATS, single),
        np.zeros(MOST_SEATS, single),
        np.zeros((3, DISTINCT), single),
        np.zeros((3, DISTINCT), np.int64),
    )
    return (
        np.zeros(width(seats), single),
        np.zeros(seats, np.bool_),
        survey,
        np.zeros(FIRST, single),
        np.zeros(SECOND, single),
        np.zeros(seats, single),
        np.zeros(seats),
        np.zeros((8, LENGTH), np.int64),
        np.zeros((8, seats)),
        table(seats, counts),
    )


@compiled
def judged(network, s, desk, shares):
    """Write the shares in a position before a roll, or in the end."""
    x, inside, survey, h1, h2, logits, relative, _, _, end = desk
    seats, mover = s[SEATS], s[MOVER]
    if s[PHASE] == OVER:
        shares[:] = 0.0
        share_wins(s, shares)
        return
    if is_counted(s, end):
        last_roll(s, end, shares)
        return
    describe(s, x, inside, survey)
    layers(network, x, h1, h2, logits)
    softmax(logits, inside, relative)
    for place in range(seats):
        seat = mover + place if mover + place < seats else mover + place - seats
        shares[seat] = relative[place]


@compiled
def faced(network, s, desk, best):
    """Write the shares after the quarter turn that is best for the mover; answer it."""
    rows, shares = desk[7], desk[8]
    after, found, chosen = rows[0], shares[0], -1
    for quarters in (-1, 1):
        after[:] = s
        face_away(after, quarters)
        judged(network, after, desk, found)
        if quarters < 0 or found[s[MOVER]] > best[s[MOVER]]:
            best[:] = found
            chosen = quarters
    return chosen


@compiled
def after_lay(network, s, spot, desk, shares):
    """Write the shares after a rug was laid here, and Assam turned away where that is due."""
    after = desk[7][1]
    after[:] = s
    lay(after, spot)
    if after[PHASE] == FACE:
        faced(network, after, desk, shares)
    else:
        judged(network, after, desk, shares)


@compiled
def laid(network, s, desk, best):
    """Write the shares after the rug that is best for the mover; answer its spot."""
    if is_counted(s, desk[9]):
        return last_lay(s, desk[9], best)[0]
    found, me, chosen = desk[8][1], s[MOVER], -1
    square = s[ASSAM] >> 2
    for index in range(REACHED_COUNT[square]):
        spot = REACHED[square, index]
        if barred(s, spot):
            continue
        after_lay(network, s, spot, desk, found)
        if chosen < 0 or found[me] > best[me]:
            best[:] = found
            chosen = spot
    return chosen


@compiled
def after_walk(network, s, quarters, face, desk, shares):
    """Write the shares after this turn and this face, and the best rug."""
    after = desk[7][2]
    after[:] = s
    walk(after, quarters, face)
    if after[PHASE] == LAY:
        laid(network, after, desk, shares)
    else:
        judged(network, after, desk, shares)


@compiled
def rolled(network, s, quarters, desk, faces, mean):
    """Write the shares for each value of the die after this turn, and what they come to."""
    mean[:] = 0.0
    for index in range(DISTINCT):
        after_walk(network, s, quarters, FACES[index], desk, faces[index])
        for seat in range(s[SEATS]):
            mean[seat] += ODDS[index] * faces[index, seat]


@compiled
def turned_best(network, s, desk, faces, best):
    """Write what the best turn for the mover comes to, and its faces; answer the turn."""
    if s[PHASE] == ROLL:
        rolled(network, s, 0, desk, faces, best)
        return 0
    if is_counted(s, desk[9]):
        quarters = last_roll(s, desk[9], best)
        rolled(network, s, quarters, desk, faces, best)
        return quarters
    mean, trial = desk[8][2], desk[8][3 : 3 + DISTINCT]
    chosen = -2
    for quarters in range(-1, 2):
        rolled(network, s, quarters, desk, trial, mean)
        if chosen < -1 or mean[s[MOVER]] > best[s[MOVER]]:
            best[:] = mean
            faces[:] = trial
            chosen = quarters
    return chosen
