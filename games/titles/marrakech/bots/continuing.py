"""Continuations of Marrakech by the network, with the luck on the way subtracted.

What is left of their scatter is where the network changes its mind, which is little: a few dozen
say more than thousands that keep their luck.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .features import DISTINCT
from .judge import faced, judged, laid, rolled, turned_best
from .kernel import (
    FACE,
    LAY,
    LENGTH,
    OVER,
    PHASE,
    SEATS,
    below,
    face_away,
    lay,
    mixed,
    walk,
)
from .search import deal
from .tables import FACE_OF_SIDE, SIDES

MILLIONTHS = 1_000_000


@compiled
def continued(network, s, action, rolls, seed, first, count, desk, outcomes):
    """Write what so many continuations after this action come to, in millionths; the first roll
    may belong to the action."""
    seats = s[SEATS]
    after = np.zeros(LENGTH, np.int64)
    faces, mean = np.zeros((DISTINCT, seats)), np.zeros(seats)
    best, luck, found = np.zeros(seats), np.zeros(seats), np.zeros(seats)
    for number in range(count):
        random = mixed(seed + first + number)
        after[:] = s
        if seats == 2:
            deal(after, random)
        luck[:] = 0.0
        left, chosen = rolls, True
        while after[PHASE] != OVER:
            if after[PHASE] == LAY:
                lay(after, action if chosen else laid(network, after, desk, best))
            elif after[PHASE] == FACE:
                face_away(after, action if chosen else faced(network, after, desk, best))
            elif left == 0:
                break
            else:
                quarters = action
                if chosen:
                    rolled(network, after, action, desk, faces, mean)
                else:
                    quarters = turned_best(network, after, desk, faces, mean)
                random = mixed(random)
                face = below(random, SIDES)
                for seat in range(seats):
                    luck[seat] += faces[FACE_OF_SIDE[face], seat] - mean[seat]
                walk(after, quarters, face)
                left -= 1
            chosen = False
        judged(network, after, desk, found)
        for seat in range(seats):
            outcomes[number, seat] = int(np.rint((found[seat] - luck[seat]) * MILLIONTHS))
