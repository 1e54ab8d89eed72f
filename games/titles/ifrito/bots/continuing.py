"""Continuations of Ifrito as the judge likes them.

No die falls here: what differs from one to the next is which of the actions that look nearly
alike are played.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.mixing import below, mixed

from .judge import after, judged
from .kernel import ENDED, LENGTH, MOST_ACTIONS, PICKER, act, actions, decider

MILLIONTHS = 1_000_000
# By so many millionths of a win an action may look better than it is.
ALIKE = 10_000


@compiled
def chosen(network, s, random, desk, listed, found):
    """One of the actions that look best to who decides, and a number for more chance."""
    me, most, best = decider(s), -1, 0
    for index in range(actions(s, listed)):
        after(network, s, listed[index], desk, found)
        random = mixed(random)
        value = int(np.rint(found[me] * MILLIONTHS)) + below(random, ALIKE)
        if value > most:
            most, best = value, listed[index]
    return best, random


@compiled
def continued(network, s, action, length, seed, first, count, desk, outcomes):
    """Write what so many continuations of so many actions after this one come to, in millionths."""
    row, found = np.zeros(LENGTH, np.int64), np.zeros(outcomes.shape[1])
    listed = np.zeros(MOST_ACTIONS, np.int64)
    for number in range(count):
        random = mixed(seed + first + number)
        row[:] = s
        act(row, action)
        left = length
        while not row[ENDED] and (left > 0 or row[PICKER] >= 0):
            action_now, random = chosen(network, row, random, desk, listed, found)
            act(row, action_now)
            left -= 1
        judged(network, row, desk, found)
        for seat in range(outcomes.shape[1]):
            outcomes[number, seat] = int(np.rint(found[seat] * MILLIONTHS))
