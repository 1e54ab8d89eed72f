"""What a position of Marrakech is worth, and players who trust such a judgement.

Worth is counted in sixths of a hundredth of a point: whole numbers, because expected payments
come in sixths. It is the seat's own standing against the others: half against their average,
half against the best of them.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .kernel import (
    ASSAM,
    COLOURS_EACH,
    FACE,
    FIELD,
    GONE,
    GONE_COUNT,
    LAY,
    LENGTH,
    MOVER,
    OVER,
    PHASE,
    PURSE,
    ROLL,
    RUGS,
    SEATS,
    TURN,
    asking,
    barred,
    bits,
    cover,
    face_away,
    field_at,
    lay,
    mixed,
    own_squares,
    owner_of,
    points,
    region,
    turned,
)
from .tables import REACHED, REACHED_COUNT, WALK

POINT = 600
SIXTH = POINT // 6
# Tuned in games against the yardsticks: what two squares of one colour side by side, and three
# in a row or a corner, earn in each of the others' turns to come, of which so many count; and
# the weight, in hundredths, of the payment to be expected next.
NEAR, FAR, HORIZON, NEXT = 20, 10, 8, 50
# Who is out, or alone, is so many points behind or ahead.
DECIDED = 100 * POINT
TIES = 0xFFFF
# One of each value of the die, as it is numbered, and how many sixths come up with it.
FACES, SIXTHS = (0, 1, 3, 5), (1, 2, 2, 1)


@compiled
def rent(field):
    """What a colour's squares promise to earn in one turn: big regions more than scattered ones."""
    up, across = field & field >> 1, field & field >> 8
    far = bits(up & field >> 2) + bits(across & field >> 16)
    far += bits((up | across) & field >> 9) + bits((up >> 8 | across >> 1) & field)
    return NEAR * (bits(up) + bits(across)) + FAR * far


@compiled
def turns_of_others(s, seat):
    """In how many turns this seat may still earn, as far as one should look."""
    turns = -s[RUGS + seat]
    for other in range(s[SEATS]):
        turns += s[RUGS + other]
    return min(turns, HORIZON)


@compiled
def standing(s, seat):
    value = POINT * points(s, seat)
    turns = turns_of_others(s, seat)
    if turns:
        for field in range(seat * s[COLOURS_EACH], (seat + 1) * s[COLOURS_EACH]):
            value += turns * rent(s[FIELD + field])
    return value


@compiled
def worth(s, me):
    """What the board and the purses are worth to a seat."""
    others = s[SEATS] - s[GONE_COUNT] - 1
    if s[GONE + me]:
        return -DECIDED
    if others == 0:
        return DECIDED
    rivals, best = 0, -(1 << 60)
    for seat in range(s[SEATS]):
        if seat != me and not s[GONE + seat]:
            rival = standing(s, seat)
            rivals += rival
            best = max(best, rival)
    return standing(s, me) - (rivals // others + best) // 2


@compiled
def fare(s, pose, squares):
    """Six times what the mover must expect to pay for walking from a pose, by the squares that
    ask for something."""
    total, known, price = 0, 0, 0
    for index in range(4):
        square = WALK[pose, FACES[index]] >> 2
        if squares >> square & 1:
            if not known >> square & 1:
                known = region(square, s[FIELD + field_at(s, square)])
                price = bits(known)
            total += SIXTHS[index] * price
    return total


@compiled
def fare_to(s, pose, squares, me):
    """The same for what the mover has in the purse, in all and as far as it goes to one seat."""
    total, mine = 0, 0
    for index in range(4):
        square = WALK[pose, FACES[index]] >> 2
        if squares >> square & 1:
            field = field_at(s, square)
            price = bits(region(square, s[FIELD + field]))
            price = min(price, s[PURSE + s[MOVER]]) * SIXTHS[index]
            total += price
            if owner_of(s, field) == me:
                mine += price
    return total, mine


@compiled
def outlook(s, me):
    """What a position before a roll is worth, with the payment to be expected from it."""
    value = worth(s, me)
    if s[PHASE] == OVER or s[GONE + me]:
        return value
    squares = asking(s, s[MOVER])
    least, mine = 1 << 40, 0
    for quarters in range(-1, 2):
        if s[PHASE] == TURN or quarters == 0:
            total, to_me = fare_to(s, turned(s[ASSAM], quarters), squares, me)
            if total < least:
                least, mine = total, to_me
    others = s[SEATS] - s[GONE_COUNT] - 1
    change = -least if s[MOVER] == me else mine
    return value + change * SIXTH * NEXT // 100 * (others + 1) // others


@compiled
def thrifty(s, random):
    """The turn with the lowest expected payment."""
    squares = asking(s, s[MOVER])
    least, chosen = 1 << 60, 0
    for quarters in range(-1, 2):
        random = mixed(random)
        cost = fare(s, turned(s[ASSAM], quarters), squares) << 16 | random & TIES
        if cost < least:
            least, chosen = cost, quarters
    return chosen


@compiled
def facing(s, random):
    """The quarter turn, left or right, with the best outlook for who makes it."""
    me = s[MOVER]
    after = np.empty(LENGTH, np.int64)
    most, chosen = -(1 << 60), 0
    for quarters in (-1, 1):
        after[:] = s
        face_away(after, quarters)
        random = mixed(random)
        value = outlook(after, me) << 16 | random & TIES
        if value > most:
            most, chosen = value, quarters
    return chosen


@compiled
def careful_lay(s, random):
    """The rug with the best outlook."""
    me = s[MOVER]
    after = np.empty(LENGTH, np.int64)
    most, chosen = -(1 << 60), 0
    square = s[ASSAM] >> 2
    for index in range(REACHED_COUNT[square]):
        spot = REACHED[square, index]
        if barred(s, spot):
            continue
        after[:] = s
        lay(after, spot)
        if after[PHASE] == FACE:
            face_away(after, facing(after, random))
        random = mixed(random)
        value = outlook(after, me) << 16 | random & TIES
        if value > most:
            most, chosen = value, spot
    return chosen


@compiled
def hasty_lay(s, random):
    """The largest gain in own minus others' squares, with no thought of regions: for playouts."""
    mine, theirs = own_squares(s, s[MOVER]), asking(s, s[MOVER])
    most, chosen = -1, 0
    square = s[ASSAM] >> 2
    for index in range(REACHED_COUNT[square]):
        spot = REACHED[square, index]
        if barred(s, spot):
            continue
        both = cover(spot)
        random = mixed(random)
        value = bits(both & ~mine) + bits(both & theirs) << 16 | random & TIES
        if value > most:
            most, chosen = value, spot
    return chosen


@compiled
def merchant(s, seed):
    """One turn deep: the exact expected payments over the die, and the best rug."""
    if s[PHASE] == LAY:
        return careful_lay(s, seed)
    if s[PHASE] == FACE:
        return facing(s, seed)
    return 0 if s[PHASE] == ROLL else thrifty(s, seed)
