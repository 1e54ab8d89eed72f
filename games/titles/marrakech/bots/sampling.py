"""Continuations by hasty players, and what the network says of where they come to.

The search of the Grand Vizier takes everybody for a player by the network, and is wrong wherever
the network is. With three or four at the table half of what such continuations say is better than
either alone: hasty players are wrong about other things, and six or more rolls lie between.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.titles.compiling import compiled

from .judge import judged
from .kernel import LENGTH, MOVER, SEATS, mixed
from .search import played_on


class Sampling(NamedTuple):
    """Which of the actions that look best are continued, how often in all and for how many rolls,
    and how much that counts."""

    most: int
    margin: float
    playouts: int
    rolls: int
    weight: float


# As many as there are ways for two dice to fall, or a multiple of it: the first two fall evenly.
EVENLY = 36
# All that is said of a position follows from it alone.
SEED = 1


@compiled
def sample(network, s, count, sampling, desk, actions, shares):
    """Correct the shares of the first few of these actions, which come with the best first, by
    what their continuations come to; answer of how many."""
    most, margin, playouts, rolls, weight = sampling
    me, seats, tried = s[MOVER], s[SEATS], 0
    while tried < min(count, most) and shares[tried, me] >= shares[0, me] - margin:
        tried += 1
    if tried < 2:
        return tried
    times = max(1, playouts // (tried * EVENLY)) * EVENLY
    after, found = np.empty(LENGTH, np.int64), np.zeros(seats)
    totals = np.zeros((tried, seats))
    for number in range(times):
        random = mixed(SEED + number)
        for index in range(tried):
            after[:] = s
            played_on(after, actions[index], rolls, number, random)
            judged(network, after, desk, found)
            totals[index] += found
    # What both say of all of them together stays as it was, so that those not tried compare.
    for seat in range(seats):
        level = 0.0
        for index in range(tried):
            level += (totals[index, seat] / times - shares[index, seat]) / tried
        for index in range(tried):
            difference = totals[index, seat] / times - shares[index, seat] - level
            shares[index, seat] += weight * difference
    return tried
