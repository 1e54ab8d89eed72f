"""What a position of Ifrito at the start of a turn looks like to the network.

Seats count from the one to act on.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.rules.geometry import EDGE

from .kernel import (
    CAPTURED,
    EACH,
    GENIES,
    HAND,
    LEFT,
    PLACE,
    PRISON,
    QUIET,
    SEATED,
    SEATED_COUNT,
    SEATS,
    TURN,
)
from .search import ABOARD, CARPET_WON, FREEDOM, GENIE_WON, IN_HAND, best_prey, freedom

# The features of a seat, and by what each is divided to be a number of about 1.
OF_SEAT = (
    ("is in", 1),
    ("prison", 5),
    ("captured carpets", 2),
    ("a capture from winning", 1),
    ("carpets in hand", 1),
    ("carpets without a genie", 1),
    ("genies aboard", 6),
    ("most aboard", 4),
    ("freedom", 12),
    ("most freedom", 6),
    ("stuck carpets", 1),
    ("prey", 500),
    ("danger", 500),
    ("standing", 500),
    ("lead", 500),
    ("lead on average", 500),
)
OF_TABLE = (
    ("quiet turns", 30),
    ("genies on the cells", 25),
    ("genies at the edge", 16),
    ("gone", 1),
)
OF_SEAT_COUNT, OF_TABLE_COUNT = len(OF_SEAT), len(OF_TABLE)
SCALE = np.array([1 / by for _, by in OF_SEAT], np.float32)
TABLE_SCALE = np.array([1 / by for _, by in OF_TABLE], np.float32)
PRISON_NEARLY, CARPETS_NEARLY = 7, 2


def width(seats: int) -> int:
    """How many features there are."""
    return OF_SEAT_COUNT * seats + OF_TABLE_COUNT


@compiled
def counted(squares):
    count = 0
    while squares:
        squares &= squares - 1
        count += 1
    return count


@compiled
def describe_seat(s, x, base, seat):
    """What a seat has; answers how well it stands, as the search counts."""
    x[base] = 1.0
    x[base + 1] = s[PRISON + seat]
    x[base + 2] = s[CAPTURED + seat]
    x[base + 3] = s[PRISON + seat] >= PRISON_NEARLY or s[CAPTURED + seat] >= CARPETS_NEARLY
    standing = GENIE_WON * s[PRISON + seat] + CARPET_WON[min(s[CAPTURED + seat], 3)]
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] == HAND:
            x[base + 4] += 1
            standing += IN_HAND
            continue
        genies, free = SEATED_COUNT[s[SEATED + carpet]], freedom(s, carpet)
        x[base + 5] += genies == 0
        x[base + 6] += genies
        x[base + 7] = max(x[base + 7], np.float32(genies))
        x[base + 8] += free
        x[base + 9] = max(x[base + 9], np.float32(free))
        x[base + 10] += free == 0
        standing += ABOARD[genies] + FREEDOM[free]
    x[base + 13] = standing
    return standing


@compiled
def describe(s, x, inside, standings):
    """Write the features of a position at the start of a turn, and who is still in."""
    seats, mover = s[SEATS], s[TURN]
    x[:] = 0.0
    others = -1
    for place in range(seats):
        seat = (mover + place) % seats
        inside[place] = s[LEFT + seat] == 0
        if inside[place]:
            standings[seat] = describe_seat(s, x, place * OF_SEAT_COUNT, seat)
            others += 1
    for place in range(seats):
        seat = (mover + place) % seats
        if not inside[place]:
            continue
        base, best, total = place * OF_SEAT_COUNT, -(1 << 40), 0
        for other in range(seats):
            if other == seat or s[LEFT + other]:
                continue
            prey = np.float32(best_prey(s, seat, other))
            x[base + 11] = max(x[base + 11], prey)
            hunted = (other - mover + seats) % seats * OF_SEAT_COUNT
            x[hunted + 12] = max(x[hunted + 12], prey)
            best = max(best, standings[other])
            total += standings[other]
        x[base + 14] = standings[seat] - best
        x[base + 15] = np.float32(standings[seat]) - np.float32(total) / np.float32(max(others, 1))
    base = seats * OF_SEAT_COUNT
    x[base] = s[QUIET]
    x[base + 1] = counted(s[GENIES])
    x[base + 2] = counted(s[GENIES] & EDGE)
    x[base + 3] = seats - 1 - others
    for place in range(seats):
        for index in range(OF_SEAT_COUNT):
            x[place * OF_SEAT_COUNT + index] *= SCALE[index]
    for index in range(OF_TABLE_COUNT):
        x[base + index] *= TABLE_SCALE[index]
