"""Marrakech for search: the engine's rules on one row of whole numbers, in machine code.

Nothing is checked here: who calls a part of a turn knows that it is due and legal. That the
engine and the kernel agree, move by move, is what the tests are for.
"""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from games.titles import mixing
from games.titles.compiling import compiled

from .tables import REACHED, REACHED_COUNT, WALK

# The parts of a turn.
TURN, ROLL, LAY, FACE, OVER = range(5)

# Where things stand in the row of a position.
PHASE, MOVER, ASSAM = 0, 1, 2
SEATS, COLOURS_EACH, INSOLVENT_OUT, TURN_AFTER, COVER_OWN = 3, 4, 5, 6, 7
WHOLE = 8  # the spots of whole rugs by their lower or left square: upright, then across
FIELD = 10  # by colour: the squares where it shows
PURSE = 14  # by seat, like all that follows
RUGS = 18
PILE = 22  # the colours of the rugs to come, one bit each, the next one lowest
GONE = 26  # 0, or the how-many-th to go
GONE_COUNT = 30
LENGTH = 31


@intrinsic
def bits(typing, squares):
    """How many squares a set has: one instruction of the processor."""
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(*args)


@compiled
def cover(spot):
    """The two squares of a spot."""
    return (257 if spot & 1 else 3) << (spot >> 1)


@compiled
def region(square, field):
    """The squares of the field that are connected with this one, which lies in it."""
    found = 1 << square
    while True:
        wider = (found | found << 1 | found >> 1 | found << 8 | found >> 8) & field
        if wider == found:
            return found
        found = wider


@compiled
def field_at(s, square):
    """The colour that shows on a square, or -1."""
    for field in range(s[SEATS] * s[COLOURS_EACH]):
        if s[FIELD + field] >> square & 1:
            return field
    return -1


@compiled
def owner_of(s, field):
    """The seat that a colour belongs to."""
    return field >> (s[COLOURS_EACH] - 1)


@compiled
def asking(s, seat):
    """The squares where this seat would owe something."""
    squares = 0
    for field in range(s[SEATS] * s[COLOURS_EACH]):
        owner = owner_of(s, field)
        if owner != seat and not s[GONE + owner]:
            squares |= s[FIELD + field]
    return squares


@compiled
def own_squares(s, seat):
    """The squares where this seat's colours show, in or out."""
    if s[COLOURS_EACH] == 1:
        return s[FIELD + seat]
    return s[FIELD + 2 * seat] | s[FIELD + 2 * seat + 1]


@compiled
def points(s, seat):
    if s[GONE + seat]:
        return 0
    return bits(own_squares(s, seat)) + s[PURSE + seat]


@compiled
def next_field(s, seat):
    """The colour of the rug that this seat lays next."""
    if s[COLOURS_EACH] == 1:
        return seat
    return 2 * seat + (s[PILE + seat] & 1)


@compiled
def barred(s, spot):
    """Whether one rug lies whole on this spot and may not be covered."""
    if not s[WHOLE + (spot & 1)] >> (spot >> 1) & 1:
        return False
    if s[COVER_OWN]:
        both = cover(spot)
        return both & own_squares(s, s[MOVER]) != both
    return True


@compiled
def spots(s, into):
    """Write the legal spots of the mover, ascending; answer how many there are."""
    square = s[ASSAM] >> 2
    count = 0
    for index in range(REACHED_COUNT[square]):
        spot = REACHED[square, index]
        if not barred(s, spot):
            into[count] = spot
            count += 1
    return count


@compiled
def turned(pose, quarters):
    return pose & ~3 | (pose + quarters) & 3


@compiled
def rugs_left(s):
    """How many rugs are still to be laid, by all together."""
    left = 0
    for seat in range(s[SEATS]):
        left += s[RUGS + seat]
    return left


@compiled
def pass_on(s):
    """What comes when the mover's turn is over."""
    seats = s[SEATS]
    if rugs_left(s) == 0 or s[GONE_COUNT] == seats - 1:
        s[PHASE] = OVER
        return
    seat = s[MOVER]
    while True:
        seat = seat + 1 if seat + 1 < seats else 0
        if not s[GONE + seat]:
            break
    s[MOVER] = seat
    s[PHASE] = ROLL if s[TURN_AFTER] else TURN


@compiled
def leave(s, seat):
    phase, mover = s[PHASE], s[MOVER]
    s[PURSE + seat] = 0
    s[RUGS + seat] = 0
    s[GONE_COUNT] += 1
    s[GONE + seat] = s[GONE_COUNT]
    pass_on(s)
    if s[PHASE] != OVER and seat != mover:
        s[PHASE] = phase
        s[MOVER] = mover


@compiled
def walk(s, quarters, face):
    """Turn Assam, walk by the face of the die (numbered 0 to 5), pay."""
    end = WALK[turned(s[ASSAM], quarters), face]
    s[ASSAM] = end
    s[PHASE] = LAY
    mover = s[MOVER]
    field = field_at(s, end >> 2)
    if field < 0:
        return
    owner = owner_of(s, field)
    if owner == mover or s[GONE + owner]:
        return
    price = bits(region(end >> 2, s[FIELD + field]))
    if price <= s[PURSE + mover]:
        s[PURSE + mover] -= price
        s[PURSE + owner] += price
        return
    s[PURSE + owner] += s[PURSE + mover]
    s[PURSE + mover] = 0
    if s[INSOLVENT_OUT]:
        leave(s, mover)


@compiled
def put(s, field, spot):
    """Spread a rug on the board, without all that a turn is."""
    both = cover(spot)
    for each in range(s[SEATS] * s[COLOURS_EACH]):
        s[FIELD + each] &= ~both
    s[FIELD + field] |= both
    s[WHOLE] &= ~(both | both >> 1)
    s[WHOLE + 1] &= ~(both | both >> 8)
    s[WHOLE + (spot & 1)] |= 1 << (spot >> 1)


@compiled
def lay(s, spot):
    mover = s[MOVER]
    put(s, next_field(s, mover), spot)
    s[PILE + mover] >>= 1
    s[RUGS + mover] -= 1
    if s[TURN_AFTER]:
        for seat in range(s[SEATS]):
            if s[RUGS + seat]:
                s[PHASE] = FACE
                return
    pass_on(s)


@compiled
def face_away(s, quarters):
    s[ASSAM] = turned(s[ASSAM], quarters)
    pass_on(s)


@compiled
def ahead(s, one, other):
    """Whether one seat ranks above another: 1, level: 0, below: -1."""
    if s[GONE + one] or s[GONE + other]:
        # Who is in counts as gone after everybody.
        mine = s[GONE + one] or s[SEATS]
        theirs = s[GONE + other] or s[SEATS]
        return (mine > theirs) - (mine < theirs)
    mine, theirs = points(s, one), points(s, other)
    if mine == theirs:
        mine, theirs = s[PURSE + one], s[PURSE + other]
    return (mine > theirs) - (mine < theirs)


@compiled
def share_wins(s, wins):
    """Add one win, shared by all who are first."""
    first = 0
    for seat in range(1, s[SEATS]):
        if ahead(s, seat, first) > 0:
            first = seat
    sharing = 0
    for seat in range(s[SEATS]):
        sharing += ahead(s, first, seat) == 0
    for seat in range(s[SEATS]):
        if ahead(s, first, seat) == 0:
            wins[seat] += 1.0 / sharing


below, mixed = mixing.below, mixing.mixed


@compiled
def start(s, seats, insolvent_out, turn_after, cover_own):
    """Everybody at the table, the piles still to be shuffled."""
    s[:] = 0
    s[PHASE] = ROLL if turn_after else TURN
    s[ASSAM] = 4 * 27 + 2
    s[SEATS] = seats
    s[COLOURS_EACH] = 2 if seats == 2 else 1
    s[INSOLVENT_OUT] = insolvent_out
    s[TURN_AFTER] = turn_after
    s[COVER_OWN] = cover_own
    for seat in range(seats):
        s[PURSE + seat] = 30
        s[RUGS + seat] = 24 if seats == 2 else 15 if seats == 3 else 12


@compiled
def shuffled(zeros, ones, random):
    """The bits of a pile of so many rugs of either colour, in random order."""
    pile = 0
    rugs = zeros + ones
    for place in range(rugs):
        random = mixed(random)
        if below(random, rugs - place) < ones:
            pile |= 1 << place
            ones -= 1
    return pile
