"""Expectimax over the judge: every face of the die counts, and everybody plays by the network.

The mover's own actions are weighed by the network first; the best of them are looked at some
turns further. There is no recursion: each depth is a function of its own that asks the one below.
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


class Effort(NamedTuple):
    """How many turns ahead a turn of Assam and a rug are weighed, and for how many of the best
    rugs."""

    turn_depth: int
    turn_width: int
    rug_depth: int
    rug_width: int


def study(seats):
    """Room for the search: rows of positions, shares and faces for each depth."""
    return (
        np.zeros((12, LENGTH), np.int64),
        np.zeros((12, seats)),
        np.zeros((4, DISTINCT, seats)),
        np.zeros((4, MOST_SPOTS), np.int64),
        np.zeros((4, MOST_SPOTS)),
    )


@compiled
def one_turn(network, s, desk, study, shares):
    """Write the shares before a roll, one turn ahead; answer the turn that the mover takes."""
    if s[PHASE] == OVER:
        judged(network, s, desk, shares)
        return 0
    return turned_best(network, s, desk, study[2][0], shares)


@compiled
def settle(network, s, desk, row):
    """Go on in a position after a walk, to the next one before a roll, as the network likes it."""
    row[:] = s
    if row[PHASE] == LAY:
        lay(row, laid(network, s, desk, desk[8][7]))
    if row[PHASE] == FACE:
        face_away(row, faced(network, row, desk, desk[8][7]))


@compiled
def blind_turn(network, s, desk, study, shares):
    """The same as one turn ahead, for a mover of whose next rug nobody knows the colour."""
    if s[COLOURS_EACH] == 1 or s[PHASE] == OVER:
        one_turn(network, s, desk, study, shares)
        return
    row, found, mover = study[0][5], study[1][3], s[MOVER]
    ones = bits(s[PILE + mover])
    shares[:] = 0.0
    for colour in (0, 1):
        left = ones if colour else s[RUGS + mover] - ones
        if left:
            row[:] = s
            row[PILE + mover] = ((1 << (ones - colour)) - 1) << 1 | colour
            one_turn(network, row, desk, study, found)
            for seat in range(s[SEATS]):
                shares[seat] += found[seat] * left / s[RUGS + mover]


@compiled
def two_turns(network, s, desk, study, shares):
    """Write the shares two turns ahead, for the turn that looks best one turn ahead.

    The second mover may have laid a rug within the search: what lies below it is not known.
    """
    walked, settled, found = study[0][0], study[0][1], study[1][0]
    quarters = one_turn(network, s, desk, study, shares)
    if s[PHASE] == OVER:
        return
    shares[:] = 0.0
    for index in range(DISTINCT):
        walked[:] = s
        walk(walked, quarters, FACES[index])
        settle(network, walked, desk, settled)
        blind_turn(network, settled, desk, study, found)
        for seat in range(s[SEATS]):
            shares[seat] += ODDS[index] * found[seat]


@compiled
def ahead(network, s, depth, desk, study, shares):
    if depth == 0:
        judged(network, s, desk, shares)
    elif depth == 1:
        one_turn(network, s, desk, study, shares)
    else:
        two_turns(network, s, desk, study, shares)


@compiled
def weigh_lays(network, s, depth, width, desk, study, actions, shares):
    """Write the spots, the best first, with everybody's shares; answer how many there are.

    Only the first few are looked at further.
    """
    me, row = s[MOVER], study[0][2]
    found = study[1][1]
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
def weigh_turns(network, s, depth, width, desk, study, actions, shares):
    """The same for the turns of Assam before a roll."""
    row, found = study[0][3], study[1][2]
    lays, values = study[3][0], np.zeros((MOST_SPOTS, s[SEATS]))
    count = 0
    for quarters in range(-1, 2):
        if s[PHASE] == ROLL and quarters:
            continue
        actions[count] = quarters
        shares[count] = 0.0
        for index in range(DISTINCT):
            row[:] = s
            walk(row, quarters, FACES[index])
            if row[PHASE] == LAY:
                weigh_lays(network, row, depth, width, desk, study, lays, values)
                found[:] = values[0]
            else:
                judged(network, row, desk, found)
            for seat in range(s[SEATS]):
                shares[count, seat] += ODDS[index] * found[seat]
        count += 1
    rank(actions, shares, s[MOVER], count)
    return count


@compiled
def weigh_facings(network, s, depth, desk, study, actions, shares):
    """The same for the quarter turns after a rug."""
    row = study[0][4]
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
