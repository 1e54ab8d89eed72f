"""What the judge of Ifrito looks at before a turn: numbers of each seat, counted from the mover,
and a few of the table.

Threats are what could be captured with the very next action, whoever's turn that is.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.rules.rules import CARPETS_TO_WIN, PRISON_TO_WIN, QUIET_TURNS

from .kernel import (
    CAPTURED,
    CELLS,
    CUSHIONS,
    EACH,
    GENIES,
    HAND,
    LEFT,
    NEED,
    PLACE,
    PRISON,
    QUIET,
    SEATED,
    SEATED_COUNT,
    SEATS,
    TURN,
)
from .search import ABOARD as WORTH_ABOARD
from .search import FREEDOM as WORTH_OF_FREEDOM
from .search import freedom

# Of each seat.
(
    IMPRISONED,
    TO_IMPRISON,
    ONE_CARPET,
    TWO_CARPETS,
    IN_HAND,
    ARMED,
    ABOARD,
    MOST_ABOARD,
    LEAST_ABOARD,
    WORTH,
    FREEDOM,
    STUCK,
    CHANGING_PLANES,
    PREYS,
    MOST_TO_TAKE,
    TAKES_THE_WIN,
    HUNTED,
    HELD,
    MOST_TO_LOSE,
    LOSES_THE_GAME,
    WEAKER_NEARBY,
    STRONGER_NEARBY,
    NO_STRONGER,
) = range(23)
FEATURES = 23

# Of the table, after all seats.
LEFT_ON_CELLS, QUIET_FOR, LEAD, ALL_IMPRISONED = range(4)
SHARED = 4

# Numbers are divided by what is a lot of them, or the network would learn from some much faster
# than from others.
SCALE = np.ones(FEATURES, np.float32)
SCALE[[IMPRISONED, TO_IMPRISON]] = 1 / 4
SCALE[[IN_HAND, STUCK, CHANGING_PLANES, PREYS, HUNTED, HELD]] = 1 / 2
SCALE[[ABOARD]] = 1 / 8
SCALE[[MOST_ABOARD, LEAST_ABOARD, MOST_TO_TAKE, MOST_TO_LOSE, NO_STRONGER]] = 1 / 4
SCALE[WORTH] = 1 / 200
SCALE[FREEDOM] = 1 / 10
SCALE[[WEAKER_NEARBY, STRONGER_NEARBY]] = 1 / 3
ONE_GENIE = 1 / PRISON_TO_WIN


def width(seats: int) -> int:
    return seats * FEATURES + SHARED


@compiled
def seat_at(s, place):
    """Who sits so many places after the mover."""
    seat = s[TURN] + place
    return seat if seat < s[SEATS] else seat - s[SEATS]


@compiled
def describe(s, x, inside):
    """Write the features at the beginning of a turn, and who is still in, from the mover on."""
    seats = s[SEATS]
    x[:] = 0.0
    for place in range(seats):
        seat = seat_at(s, place)
        inside[place] = not s[LEFT + seat]
        if inside[place]:
            possessions(s, seat, x[place * FEATURES : (place + 1) * FEATURES])
    for hunter in range(seats):
        own = x[hunter * FEATURES : (hunter + 1) * FEATURES]
        for prey in range(seats):
            if hunter != prey and inside[hunter] and inside[prey]:
                theirs = x[prey * FEATURES : (prey + 1) * FEATURES]
                threats(s, seat_at(s, hunter), seat_at(s, prey), own, theirs)
    for place in range(seats):
        for feature in range(FEATURES):
            x[place * FEATURES + feature] *= SCALE[feature]
    overview(s, x[seats * FEATURES :])


@compiled
def possessions(s, seat, x):
    """Write what a seat has."""
    least = CUSHIONS
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] == HAND:
            x[IN_HAND] += 1
            continue
        seated = s[SEATED + carpet]
        genies, cells = SEATED_COUNT[seated], freedom(s, carpet)
        least = min(least, genies)
        x[ABOARD] += genies
        x[MOST_ABOARD] = max(x[MOST_ABOARD], genies)
        x[WORTH] += WORTH_ABOARD[genies] + WORTH_OF_FREEDOM[cells]
        x[FREEDOM] += cells
        x[STUCK] += cells == 0
        x[CHANGING_PLANES] += seated & 1
    x[LEAST_ABOARD] = least if x[IN_HAND] < s[EACH] else 0
    x[ARMED] = x[IN_HAND] == 0
    x[IMPRISONED] = s[PRISON + seat]
    x[TO_IMPRISON] = PRISON_TO_WIN - s[PRISON + seat]
    x[ONE_CARPET] = s[CAPTURED + seat] == 1
    x[TWO_CARPETS] = s[CAPTURED + seat] == 2


@compiled
def threats(s, hunter, prey, own, theirs):
    """Add to both what one seat could capture from another next, and how often one of its carpets
    that is strong enough is only a direction short."""
    armed = True
    for carpet in range(hunter * s[EACH], (hunter + 1) * s[EACH]):
        armed &= s[PLACE + carpet] >= 0
    for other in range(prey * s[EACH], (prey + 1) * s[EACH]):
        genies = SEATED_COUNT[s[SEATED + other]]
        if s[PLACE + other] < 0 or genies == 0:
            continue
        caught = False
        for carpet in range(hunter * s[EACH], (hunter + 1) * s[EACH]):
            if s[PLACE + carpet] < 0 or SEATED_COUNT[s[SEATED + carpet]] < genies:
                continue
            theirs[NO_STRONGER] += 1
            need = NEED[s[PLACE + carpet], s[PLACE + other]]
            if need >> CUSHIONS:
                continue
            if armed and not need & ~s[SEATED + carpet]:
                caught = True
            else:
                own[WEAKER_NEARBY] += 1
                theirs[STRONGER_NEARBY] += 1
        if caught:
            own[PREYS] += 1
            theirs[HUNTED] += 1
            theirs[HELD] += freedom(s, other) == 0
            own[MOST_TO_TAKE] = max(own[MOST_TO_TAKE], genies)
            theirs[MOST_TO_LOSE] = max(theirs[MOST_TO_LOSE], genies)
            if s[CAPTURED + hunter] == CARPETS_TO_WIN - 1 or (
                s[PRISON + hunter] + genies >= PRISON_TO_WIN
            ):
                own[TAKES_THE_WIN] = 1
                theirs[LOSES_THE_GAME] = 1


@compiled
def overview(s, x):
    """Write how far the game is."""
    genies, most, total = 0, 0, 0
    for cell in range(CELLS):
        genies += s[GENIES] >> cell & 1
    for seat in range(s[SEATS]):
        most = max(most, s[PRISON + seat])
        total += s[PRISON + seat]
    x[LEFT_ON_CELLS] = genies / CELLS
    x[QUIET_FOR] = s[QUIET] / QUIET_TURNS
    x[LEAD] = most * ONE_GENIE
    x[ALL_IMPRISONED] = total * ONE_GENIE
