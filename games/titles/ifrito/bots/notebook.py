"""What a search of Ifrito has found of positions, kept while it lasts.

Many ways lead to the same position, and a look one action deeper tries first what was best before.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .kernel import LENGTH

PAGES = 1 << 17
# On each page: the number of a position, how many actions ahead it was looked at, what it was found
# to be worth, whether it is worth just that, at least that or at most that, and what was best.
NUMBER, AHEAD, VALUE, BOUND, BEST, NOTED = range(6)
EXACT, AT_LEAST, AT_MOST = range(3)
SCATTER = np.int64(-7046029254386353131)


def blank() -> np.ndarray:
    return np.zeros((PAGES, NOTED), np.int64)


@compiled
def numbered(s):
    """A number for a position that hardly any other has, and never 0."""
    number = np.int64(0)
    for index in range(LENGTH):
        number = (number ^ s[index]) * SCATTER
        number ^= number >> 29
    return number | 1


@compiled
def page(notes, number):
    """Where a position is noted; whatever stood there of another one is overwritten."""
    return notes[number >> 8 & PAGES - 1]


@compiled
def write_down(note, number, ahead, value, low, high, best):
    """Note what a search between low and high has found."""
    note[NUMBER], note[AHEAD], note[VALUE], note[BEST] = number, ahead, value, best
    note[BOUND] = AT_LEAST if value >= high else AT_MOST if value <= low else EXACT
