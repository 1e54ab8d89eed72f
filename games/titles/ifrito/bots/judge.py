"""The win share of every seat of Ifrito, by the network.

At the start of a turn the network itself judges; who must pick a genie picks the best one first.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.rules.rules import CARPETS_TO_WIN, PRISON_TO_WIN
from games.titles.network import FIRST, SECOND, layers, softmax

from .features import describe, width
from .kernel import (
    CAPTURED,
    CUSHIONS,
    EACH,
    ENDED,
    LEFT,
    LENGTH,
    PICKER,
    PLACE,
    PRISON,
    SEATED,
    SEATED_COUNT,
    SEATS,
    TURN,
    act,
    actions,
)


def desk(seats):
    """Room to think in: what the functions below write to and read from, over and over."""
    single = np.float32
    return (
        np.zeros(width(seats), single),
        np.zeros(seats, np.bool_),
        np.zeros(seats, np.int64),
        np.zeros(FIRST, single),
        np.zeros(SECOND, single),
        np.zeros(seats, single),
        np.zeros(seats),
        np.zeros(LENGTH, np.int64),
        np.zeros(CUSHIONS, np.int64),
        np.zeros(seats),
    )


@compiled
def count_of(s, seat):
    """What ranks a seat in a game that nobody has won: genies, carpets, then genies aboard."""
    aboard = 0
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] >= 0:
            aboard += SEATED_COUNT[s[SEATED + carpet]]
    return (s[PRISON + seat] * 64 + s[CAPTURED + seat]) * 64 + aboard


@compiled
def share_wins(s, shares):
    """Write the outcome of a game that is over."""
    seats, mover = s[SEATS], s[TURN]
    shares[:] = 0.0
    if s[PRISON + mover] >= PRISON_TO_WIN or s[CAPTURED + mover] >= CARPETS_TO_WIN:
        shares[mover] = 1.0
        return
    best, sharing = -1, 0
    for seat in range(seats):
        if not s[LEFT + seat]:
            count = count_of(s, seat)
            if count > best:
                best, sharing = count, 0
            sharing += count == best
    for seat in range(seats):
        if not s[LEFT + seat] and count_of(s, seat) == best:
            shares[seat] = 1.0 / sharing


@compiled
def settled(network, s, desk, shares):
    """Write the shares at the start of a turn, or in the end."""
    x, inside, standings, h1, h2, logits, relative, _, _, _ = desk
    if s[ENDED]:
        share_wins(s, shares)
        return
    describe(s, x, inside, standings)
    layers(network, x, h1, h2, logits)
    softmax(logits, inside, relative)
    for place in range(s[SEATS]):
        shares[(s[TURN] + place) % s[SEATS]] = relative[place]


@compiled
def judged(network, s, desk, shares):
    """The same for any position."""
    if s[ENDED] or s[PICKER] < 0:
        settled(network, s, desk, shares)
        return
    after, picks, found = desk[7], desk[8], desk[9]
    count = actions(s, picks)
    for index in range(count):
        after[:] = s
        act(after, picks[index])
        settled(network, after, desk, found)
        if index == 0 or found[s[PICKER]] > shares[s[PICKER]]:
            shares[:] = found
