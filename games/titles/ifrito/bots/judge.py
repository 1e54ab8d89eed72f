"""The win share of every seat of Ifrito, and what follows from it for actions.

At the beginning of a turn the features of a seat, weighed and added up, are its odds, and shares
follow from everybody's odds. Whoever has to pick a genie does what the judge likes best for them.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from games.titles.compiling import compiled
from games.titles.network import softmax

from .features import FEATURES, describe
from .kernel import (
    CUSHIONS,
    ENDED,
    LEFT,
    LENGTH,
    MOST_ACTIONS,
    PICK,
    PICKED,
    PICKER,
    SEATED,
    SEATS,
    TURN,
    act,
    actions,
    coded,
    decider,
    share_wins,
)

MOVER, WAITING = 0, 1
MOST_LOOKS = 12


class Weights(NamedTuple):
    """What each feature adds to the odds of a seat: of the mover, and of those who wait."""

    odds: np.ndarray


def load(path: Path) -> Weights:
    with np.load(path) as stored:
        return Weights(np.ascontiguousarray(stored["odds"]))


def desk(seats):
    """Room to think in: what the functions below write to and read from, over and over."""
    return (
        np.zeros(FEATURES, np.int64),
        np.zeros(seats, np.bool_),
        np.zeros(seats),
        np.zeros(seats),
        np.zeros((3, LENGTH), np.int64),
        np.zeros((2, seats)),
        np.zeros(MOST_ACTIONS, np.int64),
    )


@compiled
def judged(odds, s, desk, shares):
    """Write the shares at the beginning of a turn, or in the end."""
    if s[ENDED]:
        share_wins(s, shares)
        return
    x, inside, logits, relative, _, _, _ = desk
    seats, mover = s[SEATS], s[TURN]
    for place in range(seats):
        seat = mover + place if mover + place < seats else mover + place - seats
        inside[place] = not s[LEFT + seat]
        if inside[place]:
            describe(s, seat, x)
            role = WAITING if place else MOVER
            logits[place] = 0.0
            for feature in range(FEATURES):
                logits[place] += odds[role, feature] * x[feature]
    softmax(logits, inside, relative)
    for place in range(seats):
        seat = mover + place if mover + place < seats else mover + place - seats
        shares[seat] = relative[place]


@compiled
def after(odds, s, action, desk, shares):
    """Write the shares after an action, and after the pick that it may call for."""
    row, picked, found = desk[4][0], desk[4][1], desk[5][0]
    row[:] = s
    act(row, action)
    if row[PICKER] < 0 or row[ENDED]:
        judged(odds, row, desk, shares)
        return
    me, first = row[PICKER], True
    for cushion in range(CUSHIONS):
        if row[SEATED + row[PICKED]] >> cushion & 1:
            picked[:] = row
            act(picked, coded(PICK, row[PICKED], 0, cushion))
            judged(odds, picked, desk, found)
            if first or found[me] > shares[me]:
                shares[:] = found
                first = False


@compiled
def best_action(odds, s, desk, best):
    """Write the shares after the action that is best for who decides; answer it."""
    listed, found, me, chosen = desk[6], desk[5][1], decider(s), -1
    for index in range(actions(s, listed)):
        after(odds, s, listed[index], desk, found)
        if chosen < 0 or found[me] > best[me]:
            best[:] = found
            chosen = listed[index]
    return chosen


@compiled
def weigh(odds, s, further, desk, numbers, shares):
    """Write the actions, the best for who decides first, with everybody's shares after each;
    answer how many there are.

    So many of the first ones are looked at one reply further, over and over, until those that
    were looked at are the first, or enough were.
    """
    me, row, looked = decider(s), desk[4][2], np.zeros(MOST_ACTIONS, np.bool_)
    count = actions(s, numbers)
    for index in range(count):
        after(odds, s, numbers[index], desk, shares[index])
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
            best_action(odds, row, desk, shares[index])
            order = np.argsort(-shares[:count, me], kind="mergesort")
    numbers[:count] = numbers[:count][order]
    shares[:count] = shares[:count][order]
    return count
