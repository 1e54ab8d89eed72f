"""The last rug of Marrakech: nothing is left to guess there, so nobody asks a network.

Whoever lays it goes for the margin over the best of the others, ties in points broken as the rules
do. That wins wherever it can be won; who has lost anyway goes for points, as people do.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .judgement import FACES, SIXTHS
from .kernel import (
    ASSAM,
    GONE,
    LAY,
    LENGTH,
    MOVER,
    PHASE,
    PURSE,
    ROLL,
    SEATS,
    barred,
    bits,
    cover,
    own_squares,
    rugs_left,
    share_wins,
    walk,
)
from .tables import REACHED, REACHED_COUNT, SIDES

# A sixth of a point counts more than all dirhams there are.
POINT = 1 << 12
LOST = -(1 << 40)


def table(seats, counts):
    """Room to count in: whether that is wanted, a row of a position; by seat the squares and what
    it comes to without the last rug; shares by turn of Assam and by face."""
    return (
        np.array([counts]),
        np.zeros(LENGTH, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats),
        np.zeros(seats),
    )


@compiled
def is_counted(s, table):
    return table[0][0] and rugs_left(s) == 1


@compiled
def last_lay(s, table, shares):
    """Write the shares after the last rug; answer where it comes to lie, and by which margin."""
    _, _, squares, counts, _, _ = table
    seats, me, square = s[SEATS], s[MOVER], s[ASSAM] >> 2
    for seat in range(seats):
        squares[seat] = own_squares(s, seat)
        counts[seat] = LOST
        if not s[GONE + seat]:
            counts[seat] = POINT * (bits(squares[seat]) + s[PURSE + seat]) + s[PURSE + seat]
    most, fewest, chosen = 2 * LOST, 0, -1
    for index in range(REACHED_COUNT[square]):
        spot = REACHED[square, index]
        if barred(s, spot):
            continue
        both = cover(spot)
        best, sharing = LOST, 0
        for seat in range(seats):
            if seat != me:
                count = counts[seat] - POINT * bits(squares[seat] & both)
                if count > best:
                    best, sharing = count, 1
                elif count == best:
                    sharing += 1
        margin = counts[me] + POINT * bits(both & ~squares[me]) - best
        if margin > most or (margin == most == 0 and sharing < fewest):
            most, fewest, chosen = margin, sharing, spot
    both = cover(chosen)
    own = counts[me] + POINT * bits(both & ~squares[me])
    for seat in range(seats):
        shares[seat] = 0.0
        count = own if seat == me else counts[seat] - POINT * bits(squares[seat] & both)
        if count == own - min(most, 0):
            shares[seat] = 1.0 if most > 0 else 1.0 / (fewest + (most == 0))
    return chosen, most


@compiled
def last_roll(s, table, shares):
    """Write the shares before the roll that leads to the last rug; answer the turn of Assam that
    is best for the mover."""
    _, row, _, _, mean, found = table
    seats, me = s[SEATS], s[MOVER]
    most, margins, chosen = -1.0, 0, 0
    for quarters in range(-1, 2):
        if s[PHASE] == ROLL and quarters:
            continue
        mean[:] = 0.0
        expected = 0
        for index in range(len(FACES)):
            row[:] = s
            walk(row, quarters, FACES[index])
            if row[PHASE] == LAY:
                _, margin = last_lay(row, table, found)
            else:
                found[:] = 0.0
                share_wins(row, found)
                margin = LOST
            expected += SIXTHS[index] * margin
            for seat in range(seats):
                mean[seat] += SIXTHS[index] * found[seat] / SIDES
        if mean[me] > most or (mean[me] == most and expected > margins):
            most, margins, chosen = mean[me], expected, quarters
            shares[:] = mean
    return chosen
