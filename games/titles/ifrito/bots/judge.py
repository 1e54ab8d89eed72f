"""The win share of every seat of Ifrito, and what follows from it for actions.

At the beginning of a turn the network itself judges. Whoever has to pick a genie does what the
network likes best for them.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.network import FIRST, SECOND, layers, softmax

from .features import describe, seat_at, width
from .kernel import (
    CUSHIONS,
    ENDED,
    LENGTH,
    MOST_ACTIONS,
    PICK,
    PICKED,
    PICKER,
    SEATED,
    SEATS,
    act,
    actions,
    coded,
    decider,
    share_wins,
)

MOST_LOOKS = 12


def desk(seats):
    """Room to think in: what the functions below write to and read from, over and over."""
    single = np.float32
    return (
        np.zeros(width(seats), single),
        np.zeros(seats, np.bool_),
        np.zeros(FIRST, single),
        np.zeros(SECOND, single),
        np.zeros(seats, single),
        np.zeros(seats),
        np.zeros((3, LENGTH), np.int64),
        np.zeros((2, seats)),
        np.zeros(MOST_ACTIONS, np.int64),
    )


@compiled
def judged(network, s, desk, shares):
    """Write the shares at the beginning of a turn, or in the end."""
    if s[ENDED]:
        share_wins(s, shares)
        return
    x, inside, h1, h2, logits, relative, _, _, _ = desk
    describe(s, x, inside)
    layers(network, x, h1, h2, logits)
    softmax(logits, inside, relative)
    for place in range(s[SEATS]):
        shares[seat_at(s, place)] = relative[place]


@compiled
def after(network, s, action, desk, shares):
    """Write the shares after an action, and after the pick that it may call for."""
    row, picked, found = desk[6][0], desk[6][1], desk[7][0]
    row[:] = s
    act(row, action)
    if row[PICKER] < 0 or row[ENDED]:
        judged(network, row, desk, shares)
        return
    me, first = row[PICKER], True
    for cushion in range(CUSHIONS):
        if row[SEATED + row[PICKED]] >> cushion & 1:
            picked[:] = row
            act(picked, coded(PICK, row[PICKED], 0, cushion))
            judged(network, picked, desk, found)
            if first or found[me] > shares[me]:
                shares[:] = found
                first = False


@compiled
def best_action(network, s, desk, best):
    """Write the shares after the action that is best for who decides; answer it."""
    listed, found, me, chosen = desk[8], desk[7][1], decider(s), -1
    for index in range(actions(s, listed)):
        after(network, s, listed[index], desk, found)
        if chosen < 0 or found[me] > best[me]:
            best[:] = found
            chosen = listed[index]
    return chosen


@compiled
def weigh(network, s, further, desk, numbers, shares):
    """Write the actions, the best for who decides first, with everybody's shares after each;
    answer how many there are.

    So many of the first ones are looked at one reply further, over and over, until those that
    were looked at are the first, or enough were.
    """
    me, row, looked = decider(s), desk[6][2], np.zeros(MOST_ACTIONS, np.bool_)
    count = actions(s, numbers)
    for index in range(count):
        after(network, s, numbers[index], desk, shares[index])
    order = np.argsort(-shares[:count, me], kind="mergesort")
    for _ in range(MOST_LOOKS):
        place = 0
        while place < min(further, count) and looked[order[place]]:
            place += 1
        if place == min(further, count):
            break
        index = order[place]
        looked[index] = True
        row[:] = s
        act(row, numbers[index])
        if not row[ENDED]:
            best_action(network, row, desk, shares[index])
            order = np.argsort(-shares[:count, me], kind="mergesort")
    numbers[:count] = numbers[:count][order]
    shares[:count] = shares[:count][order]
    return count
