"""Expectimax over the judge: every face of the die counts, and the network says what comes of it.

The mover's own actions are weighed by the network first; the best of them are looked at a turn
further, and those that are still near each other once more. The judge lets everybody do what is
best for them; the Grand Vizier knows better.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.titles.compiling import compiled

from .ending import is_counted, last_lay, last_roll
from .features import DISTINCT, FACES, ODDS
from .habits import WAYS, first_way, guessed_turn, notes
from .judge import after_lay, faced, judged, turned_best
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
# What is behind the best by more of a win than this is not looked at further.
NEAR = 0.02


class Effort(NamedTuple):
    """How many turns ahead a turn of Assam and a rug are weighed, and for how many of the best
    rugs."""

    turn_depth: int
    turn_width: int
    rug_depth: int
    rug_width: int


def study(seats):
    """Room for the search: rows of positions and of shares, of which the first two and the first
    are for the actions themselves and the others for each depth; faces within the search, the rugs
    after a turn, and the faces of that turn; guesses, and by depth the likeliest rugs and the
    shares after them."""
    return (
        np.zeros((MOST_DEPTH + 2, LENGTH), np.int64),
        np.zeros((MOST_DEPTH + 1, seats)),
        np.zeros((DISTINCT, seats)),
        np.zeros(MOST_SPOTS, np.int64),
        np.zeros((MOST_SPOTS, seats)),
        np.zeros((DISTINCT, seats)),
        notes(seats),
        np.zeros((MOST_DEPTH + 1, WAYS, DISTINCT), np.int64),
        np.zeros((MOST_DEPTH + 1, WAYS, DISTINCT, seats)),
    )


@compiled
def ahead(network, s, depth, me, habits, desk, study, shares):
    """Write the shares before a roll, so many turns ahead. Without habits everybody does what is
    best for them, and one turn is as far as one looks.

    With habits everything that the mover may do counts by how likely it is, as the network sees
    it; what a look further ahead changes is asked of the likeliest alone.
    """
    if depth == 0 or s[PHASE] == OVER:
        judged(network, s, desk, shares)
        return
    if habits is None:
        turned_best(network, s, desk, study[2], shares)
        return
    plan, planned = study[7][depth], study[8][depth]
    way = guessed_turn(network, s, me, habits, desk, study[6], plan, planned, shares)
    if depth == 1:
        return
    row, found = study[0][depth + 1], study[1][depth]
    for index in range(DISTINCT):
        row[:] = s
        walk(row, first_way(s) + way, FACES[index])
        if row[PHASE] == LAY:
            lay(row, plan[way, index])
        if row[PHASE] == FACE:
            face_away(row, faced(network, row, desk, found))
        if row[PHASE] == OVER:
            continue
        # The next mover may have laid a rug within the search: what lies below it nobody knows,
        # so both colours count by how many are left.
        mover, chance = row[MOVER], 1.0
        rugs, ones = row[RUGS + mover], bits(row[PILE + mover])
        is_hidden = s[COLOURS_EACH] == 2
        for colour in range(1 + is_hidden):
            if is_hidden:
                left = ones if colour else rugs - ones
                if left == 0:
                    continue
                chance = left / rugs
                row[PILE + mover] = ((1 << (ones - colour)) - 1) << 1 | colour
            ahead(network, row, depth - 1, me, habits, desk, study, found)
            for seat in range(s[SEATS]):
                change = found[seat] - planned[way, index, seat]
                shares[seat] += ODDS[index] * chance * change


@compiled
def near(shares, me, count):
    """How many of these actions, the best first, are nearly as good as that one."""
    while shares[count - 1, me] < shares[0, me] - NEAR:
        count -= 1
    return count


@compiled
def weigh_lays(network, s, depth, width, is_valued, habits, desk, study, actions, shares):
    """Write the spots, the best first, with everybody's shares; answer how many there are.

    Only the first few are looked at further, and ever fewer of them. If it matters what the best
    is worth, and not only which it is, that one is looked at in any case.
    """
    me, row, found = s[MOVER], study[0][0], study[1][0]
    count = spots(s, actions)
    if is_counted(s, desk[9]):
        put_first(actions, count, last_lay(s, desk[9], found)[0])
    for index in range(count):
        after_lay(network, s, actions[index], desk, shares[index])
    rank(actions, shares, me, count)
    alive = min(width, count)
    for far in range(1, depth + 1):
        if far > 1:
            alive = near(shares, me, alive)
            if alive == 1 and not is_valued:
                break
        for index in range(alive):
            row[:] = s
            lay(row, actions[index])
            if row[PHASE] == FACE:
                face_away(row, faced(network, row, desk, found))
            ahead(network, row, far, me, habits, desk, study, found)
            shares[index] = found
        rank(actions, shares, me, alive)
    return count


@compiled
def weigh_faces(network, s, quarters, depth, width, habits, desk, study, faces, mean):
    """Write the shares for each value of the die after this turn, and what they come to."""
    row, lays, values = study[0][1], study[3], study[4]
    mean[:] = 0.0
    for index in range(DISTINCT):
        row[:] = s
        walk(row, quarters, FACES[index])
        if row[PHASE] == LAY:
            weigh_lays(network, row, depth, width, True, habits, desk, study, lays, values)
            faces[index] = values[0]
        else:
            judged(network, row, desk, faces[index])
        for seat in range(s[SEATS]):
            mean[seat] += ODDS[index] * faces[index, seat]


@compiled
def weigh_turns(network, s, depth, width, habits, desk, study, actions, shares):
    """The same for the turns of Assam before a roll."""
    me, faces, count = s[MOVER], study[5], 0
    for quarters in range(-1, 2):
        if s[PHASE] != ROLL or quarters == 0:
            actions[count] = quarters
            count += 1
    if is_counted(s, desk[9]):
        put_first(actions, count, last_roll(s, desk[9], study[1][0]))
    alive, far = count, min(depth, 1)
    while True:
        for index in range(alive):
            quarters, mean = actions[index], shares[index]
            weigh_faces(network, s, quarters, far, width, habits, desk, study, faces, mean)
        rank(actions, shares, me, alive)
        alive = near(shares, me, alive)
        if alive == 1 or far == depth:
            return count
        far += 1


@compiled
def weigh_facings(network, s, depth, habits, desk, study, actions, shares):
    """The same for the quarter turns after a rug."""
    row = study[0][0]
    for index in range(2):
        actions[index] = 2 * index - 1
        row[:] = s
        face_away(row, actions[index])
        ahead(network, row, depth, s[MOVER], habits, desk, study, shares[index])
    rank(actions, shares, s[MOVER], 2)
    return 2


@compiled
def put_first(actions, count, action):
    """Let this one stay before all that are worth the same."""
    for index in range(count):
        if actions[index] == action:
            actions[0], actions[index] = action, actions[0]


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
def weigh(network, s, effort, habits, desk, study, actions, shares):
    """Write the mover's actions, the best first, with everybody's shares; answer how many."""
    turn_depth, turn_width, rug_depth, rug_width = effort
    if s[PHASE] == LAY:
        return weigh_lays(
            network, s, rug_depth, rug_width, False, habits, desk, study, actions, shares
        )
    if s[PHASE] == FACE:
        return weigh_facings(network, s, rug_depth, habits, desk, study, actions, shares)
    return weigh_turns(network, s, turn_depth, turn_width, habits, desk, study, actions, shares)
