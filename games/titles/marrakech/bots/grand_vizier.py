"""Expectimax over the judge: every face of the die counts, and everybody plays by the network.

The mover's own actions are weighed by the network first; the best of them are looked at some
turns further.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.titles.compiling import compiled

from .features import DISTINCT, FACES, ODDS
from .judge import after_lay, faced, judged, laid, turned_best
from .kernel import (
    COLOURS_EACH,
    FACE,
    LAY,
    LENGTH,
    MOVER,
    OVER,
    PHASE,
    PILE,
    ROLL,
    RUGS,
    SEATS,
    bits,
    face_away,
    lay,
    spots,
    walk,
)
from .tables import MOST_SPOTS

MOST_DEPTH = 5


class Effort(NamedTuple):
    """How many turns ahead a turn of Assam and a rug are weighed, and for how many of the best
    rugs."""

    turn_depth: int
    turn_width: int
    rug_depth: int
    rug_width: int


def study(seats):
    """Room for the search: two rows of positions and one of shares for each depth, of which the
    first two are for the actions themselves; faces within the search, the rugs after a turn, and
    the faces of that turn."""
    return (
        np.zeros((2 * MOST_DEPTH + 2, LENGTH), np.int64),
        np.zeros((MOST_DEPTH + 1, seats)),
        np.zeros((DISTINCT, seats)),
        np.zeros(MOST_SPOTS, np.int64),
        np.zeros((MOST_SPOTS, seats)),
        np.zeros((DISTINCT, seats)),
    )


@compiled
def settle(network, s, desk, row):
    """Go on in a position after a walk, to the next one before a roll, as the network likes it."""
    row[:] = s
    if row[PHASE] == LAY:
        lay(row, laid(network, s, desk, desk[8][7]))
    if row[PHASE] == FACE:
        face_away(row, faced(network, row, desk, desk[8][7]))


@compiled
def ahead(network, s, depth, desk, study, shares):
    """Write the shares before a roll, so many turns ahead; answer the turn that the mover takes.

    Whoever moves turns Assam as looks best one turn ahead. Later movers may have laid a rug within
    the search: what lies below it nobody knows, so both colours count by how many are left.
    """
    if depth == 0 or s[PHASE] == OVER:
        judged(network, s, desk, shares)
        return 0
    quarters = turned_best(network, s, desk, study[2], shares)
    if depth == 1:
        return quarters
    walked, settled = study[0][2 * depth], study[0][2 * depth + 1]
    found = study[1][depth]
    shares[:] = 0.0
    for index in range(DISTINCT):
        walked[:] = s
        walk(walked, quarters, FACES[index])
        settle(network, walked, desk, settled)
        mover, chance = settled[MOVER], 1.0
        rugs, ones = settled[RUGS + mover], bits(settled[PILE + mover])
        is_hidden = s[COLOURS_EACH] == 2 and settled[PHASE] != OVER
        for colour in range(1 + is_hidden):
            if is_hidden:
                left = ones if colour else rugs - ones
                if left == 0:
                    continue
                chance = left / rugs
                settled[PILE + mover] = ((1 << (ones - colour)) - 1) << 1 | colour
            ahead(network, settled, depth - 1, desk, study, found)
            for seat in range(s[SEATS]):
                shares[seat] += ODDS[index] * chance * found[seat]
    return quarters


@compiled
def weigh_lays(network, s, depth, width, desk, study, actions, shares):
    """Write the spots, the best first, with everybody's shares; answer how many there are.

    Only the first few are looked at further.
    """
    me, row, found = s[MOVER], study[0][0], study[1][0]
    count = spots(s, actions)
    for index in range(count):
        after_lay(network, s, actions[index], desk, shares[index])
    rank(actions, shares, me, count)
    if depth == 0:
        return count
    alive = min(width, count)
    for index in range(alive):
        row[:] = s
        lay(row, actions[index])
        if row[PHASE] == FACE:
            face_away(row, faced(network, row, desk, found))
        ahead(network, row, depth, desk, study, found)
        shares[index] = found
    rank(actions, shares, me, alive)
    return count


@compiled
def weigh_faces(network, s, quarters, depth, width, desk, study, faces, mean):
    """Write the shares for each value of the die after this turn, and what they come to."""
    row, lays, values = study[0][1], study[3], study[4]
    mean[:] = 0.0
    for index in range(DISTINCT):
        row[:] = s
        walk(row, quarters, FACES[index])
        if row[PHASE] == LAY:
            weigh_lays(network, row, depth, width, desk, study, lays, values)
            faces[index] = values[0]
        else:
            judged(network, row, desk, faces[index])
        for seat in range(s[SEATS]):
            mean[seat] += ODDS[index] * faces[index, seat]


@compiled
def weigh_turns(network, s, depth, width, desk, study, actions, shares):
    """The same for the turns of Assam before a roll."""
    count = 0
    for quarters in range(-1, 2):
        if s[PHASE] == ROLL and quarters:
            continue
        actions[count] = quarters
        weigh_faces(network, s, quarters, depth, width, desk, study, study[5], shares[count])
        count += 1
    rank(actions, shares, s[MOVER], count)
    return count


@compiled
def weigh_facings(network, s, depth, desk, study, actions, shares):
    """The same for the quarter turns after a rug."""
    row = study[0][0]
    for index in range(2):
        actions[index] = 2 * index - 1
        row[:] = s
        face_away(row, actions[index])
        ahead(network, row, depth, desk, study, shares[index])
    rank(actions, shares, s[MOVER], 2)
    return 2


@compiled
def rank(actions, shares, me, count):
    """Sort the first few actions by the mover's share, the best first."""
    for index in range(1, count):
        place = index
        while place and shares[place - 1, me] < shares[place, me]:
            actions[place - 1], actions[place] = actions[place], actions[place - 1]
            for seat in range(shares.shape[1]):
                shares[place - 1, seat], shares[place, seat] = (
                    shares[place, seat],
                    shares[place - 1, seat],
                )
            place -= 1


@compiled
def weigh(network, s, effort, desk, study, actions, shares):
    """Write the mover's actions, the best first, with everybody's shares; answer how many."""
    turn_depth, turn_width, rug_depth, rug_width = effort
    if s[PHASE] == LAY:
        return weigh_lays(network, s, rug_depth, rug_width, desk, study, actions, shares)
    if s[PHASE] == FACE:
        return weigh_facings(network, s, rug_depth, desk, study, actions, shares)
    return weigh_turns(network, s, turn_depth, turn_width, desk, study, actions, shares)
