"""The search for Marrakech: many short continuations of each action, played hastily.

An action is as good as the chances to win that its margins promise. All actions meet the same
dice and the same piles, the first two dice fall evenly, and the better half of the actions gets
the next half of the continuations (sequential halving).
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .judgement import POINT, facing, hasty_lay, outlook, thrifty
from .kernel import (
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
    below,
    bits,
    face_away,
    lay,
    mixed,
    rugs_left,
    shuffled,
    spots,
    walk,
)
from .tables import SIDES

EVEN_DICE = 2
# A margin of so many points half decides the game: in the end, and more for each rug to come.
DECISIVE, DECISIVE_PER_RUG = 4, 1


@compiled
def choices(s, into):
    """Write the actions of the mover; answer how many there are."""
    if s[PHASE] == LAY:
        return spots(s, into)
    if s[PHASE] == ROLL:
        into[0] = 0
        return 1
    into[0], into[1], into[2] = -1, 1, 0
    return 2 if s[PHASE] == FACE else 3


@compiled
def deal(s, random):
    """Shuffle what lies below the top of the piles, as nobody has seen it."""
    for seat in range(s[SEATS]):
        if s[RUGS + seat]:
            random = mixed(random)
            top, ones = s[PILE + seat] & 1, bits(s[PILE + seat] >> 1)
            rest = shuffled(s[RUGS + seat] - 1 - ones, ones, random)
            s[PILE + seat] = rest << 1 | top


@compiled
def played_on(s, action, rolls, dice, random):
    """Do this, and play on hastily for so many rolls of the die; `dice` holds the first of them."""
    if s[PHASE] == LAY:
        lay(s, action)
    elif s[PHASE] == FACE:
        face_away(s, action)
    else:
        walk(s, action, dice % SIDES)
        dice, rolls = dice // SIDES, rolls - 1
    rolled = 0
    while s[PHASE] != OVER:
        random = mixed(random)
        if s[PHASE] == LAY:
            lay(s, hasty_lay(s, random))
        elif s[PHASE] == FACE:
            face_away(s, facing(s, random))
        elif rolled == rolls:
            break
        else:
            quarters = 0 if s[PHASE] == ROLL else thrifty(s, random)
            random = mixed(random)
            face = dice % SIDES if rolled < EVEN_DICE else below(random, SIDES)
            walk(s, quarters, face)
            dice //= SIDES
            rolled += 1


@compiled
def promise(s, margin):
    """What a margin does for winning: the further ahead or behind, the less a point counts."""
    half = POINT * (DECISIVE + DECISIVE_PER_RUG * rugs_left(s))
    return margin / (half + abs(margin))


@compiled
def weigh(s, seed, playouts, rolls, actions, scores, margins):
    """Write the actions, the best first, with their scores, which the search goes by, and with
    the margins to be expected; answer how many there are."""
    me = s[MOVER]
    count = choices(s, actions)
    scores[:] = 0.0
    margins[:] = 0.0
    dealt, after = np.empty(LENGTH, np.int64), np.empty(LENGTH, np.int64)
    rounds = 0
    while 1 << rounds < count:
        rounds += 1
    alive, tried = count, 0
    while alive > 1:
        times = max(1, playouts // (rounds * alive))
        for number in range(tried, tried + times):
            random = mixed(seed + number)
            dealt[:] = s
            if s[SEATS] == 2:
                deal(dealt, random)
            for index in range(alive):
                after[:] = dealt
                played_on(after, actions[index], rolls, number, random)
                margin = outlook(after, me)
                margins[index] += (margin - margins[index]) / (number + 1)
                scores[index] += (promise(after, margin) - scores[index]) / (number + 1)
        tried += times
        rank(actions, scores, margins, alive)
        alive = (alive + 1) // 2
    return count


@compiled
def rank(actions, scores, margins, count):
    """Sort the first few actions, the best first."""
    for index in range(1, count):
        action, score, margin = actions[index], scores[index], margins[index]
        while index and scores[index - 1] < score:
            actions[index] = actions[index - 1]
            scores[index] = scores[index - 1]
            margins[index] = margins[index - 1]
            index -= 1
        actions[index], scores[index], margins[index] = action, score, margin
