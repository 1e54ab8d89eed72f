"""Ifrito for search: the engine's rules on one row of whole numbers, in machine code.

Nothing is checked here, and two ends of the game are left out: a bot does not see how often a
position has stood, and that nobody can act is too rare to look for.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.ifrito.rules.geometry import EDGE, NEEDS
from games.titles.ifrito.rules.rules import CARPETS_TO_WIN, PRISON_TO_WIN, QUIET_TURNS

# Where things stand in the row of a position.
TURN, SEATS, EACH, GENIES, QUIET, ENDED = range(6)
PICKER, PICKED = 6, 7  # who must pick a genie (or -1), and from which carpet
PLACE = 8  # by carpet: its cell, HAND or GONE
SEATED = 16  # by carpet: the cushions with a genie
PRISON = 24  # by seat, like all that follows
CAPTURED = 28
LEFT = 32
LENGTH = 36

HAND, GONE = -1, -2
CELLS, CUSHIONS = 50, 9
NOBODY = CUSHIONS  # in place of a cushion: no genie boards and none is left behind
ALL_CUSHIONS = (1 << CUSHIONS) - 1

# What an action does; its number is made of this, the carpet, the cell and the cushion.
ENTER, MOVE, CAPTURE, PICK, PASS = range(5)
MOST_ACTIONS = 1024


def _needs() -> np.ndarray:
    """By cell and target: the cushions that must be seated to fly there, or a tenth that is not."""
    needs = np.full((CELLS, CELLS), 1 << CUSHIONS, np.int64)
    for cell, targets in enumerate(NEEDS):
        for target, cushions in targets.items():
            needs[cell, target] = cushions
    return needs


NEED = _needs()
NEAR = np.array([sorted(targets) + [-1] * (17 - len(targets)) for targets in NEEDS], np.int64)
SEATED_COUNT = np.array([mask.bit_count() for mask in range(1 << CUSHIONS)], np.int64)


@compiled
def start(s, seats):
    """Everybody at the table, all carpets in hand."""
    s[:] = 0
    s[SEATS] = seats
    s[EACH] = 3 if seats == 2 else 2
    s[GENIES] = (1 << CELLS) - 1
    s[PICKER] = -1
    s[PLACE : PLACE + 8] = GONE
    s[PLACE : PLACE + seats * s[EACH]] = HAND


@compiled
def coded(kind, carpet, cell, cushion):
    return ((kind * 8 + carpet) * 64 + cell) * 16 + cushion


@compiled
def decider(s):
    return s[PICKER] if s[PICKER] >= 0 else s[TURN]


@compiled
def carpet_on(s, cell):
    """The carpet that lies on a cell, or -1."""
    for carpet in range(s[SEATS] * s[EACH]):
        if s[PLACE + carpet] == cell:
            return carpet
    return -1


@compiled
def in_hand(s, seat):
    """A carpet that this seat has in hand, or -1."""
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] == HAND:
            return carpet
    return -1


@compiled
def entries(s, carpet, into):
    """Write the ways to enter a carpet; answer how many there are."""
    count = 0
    with_genie = s[GENIES] & EDGE
    for cell in range(CELLS):
        if with_genie >> cell & 1:
            for cushion in range(CUSHIONS):
                into[count] = coded(ENTER, carpet, cell, cushion)
                count += 1
        elif not with_genie and EDGE >> cell & 1 and carpet_on(s, cell) < 0:
            into[count] = coded(ENTER, carpet, cell, NOBODY)
            count += 1
    return count


@compiled
def flights(s, carpet, may_capture, into, count):
    """Add the moves and captures of a carpet on the board; answer how many there are by now."""
    cell, seated = s[PLACE + carpet], s[SEATED + carpet]
    for index in range(17):
        target = NEAR[cell, index]
        if target < 0:
            break
        if NEED[cell, target] & ~seated:
            continue
        if s[GENIES] >> target & 1:
            for cushion in range(CUSHIONS):
                if not seated >> cushion & 1:
                    into[count] = coded(MOVE, carpet, target, cushion)
                    count += 1
            continue
        other = carpet_on(s, target)
        if other < 0:
            into[count] = coded(MOVE, carpet, target, NOBODY)
            count += 1
            for cushion in range(CUSHIONS):
                if seated >> cushion & 1:
                    into[count] = coded(MOVE, carpet, target, cushion)
                    count += 1
        elif may_capture and other // s[EACH] != s[TURN]:
            prey = SEATED_COUNT[s[SEATED + other]]
            if 0 < prey <= SEATED_COUNT[seated]:
                into[count] = coded(CAPTURE, carpet, target, NOBODY)
                count += 1
    return count


@compiled
def actions(s, into):
    """Write all that the seat to act may do; answer how many there are."""
    count = 0
    if s[PICKER] >= 0:
        for cushion in range(CUSHIONS):
            if s[SEATED + s[PICKED]] >> cushion & 1:
                into[count] = coded(PICK, s[PICKED], 0, cushion)
                count += 1
        return count
    seat = s[TURN]
    spare = in_hand(s, seat)
    if spare >= 0:
        count = entries(s, spare, into)
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] >= 0:
            count = flights(s, carpet, spare < 0, into, count)
    if count == 0:
        into[0] = coded(PASS, 0, 0, NOBODY)
        count = 1
    return count


@compiled
def pass_on(s):
    s[PICKER], s[PICKED] = -1, 0
    seat = s[TURN]
    while True:
        seat = seat + 1 if seat + 1 < s[SEATS] else 0
        if not s[LEFT + seat]:
            break
    s[TURN] = seat
    if s[QUIET] >= QUIET_TURNS:
        s[ENDED] = 1


@compiled
def has_won(s, seat):
    return s[PRISON + seat] >= PRISON_TO_WIN or s[CAPTURED + seat] >= CARPETS_TO_WIN


@compiled
def count_of(s, seat):
    """What a seat is ranked by where nobody has won: the three counts as one number."""
    if s[LEFT + seat]:
        return -1
    aboard = 0
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        aboard += SEATED_COUNT[s[SEATED + carpet]]
    return (s[PRISON + seat] * 8 + s[CAPTURED + seat]) * 64 + aboard


@compiled
def share_wins(s, shares):
    """Write who has won a game that is over; equals share it."""
    shares[:] = 0.0
    if has_won(s, s[TURN]):
        shares[s[TURN]] = 1.0
        return
    most, equals = -1, 0
    for seat in range(s[SEATS]):
        count = count_of(s, seat)
        if count > most:
            most, equals = count, 0
        equals += count == most
    for seat in range(s[SEATS]):
        if count_of(s, seat) == most:
            shares[seat] = 1.0 / equals


@compiled
def act(s, action):
    kind, carpet = action >> 13, action >> 10 & 7
    cell, cushion = action >> 4 & 63, action & 15
    if kind == PICK:
        s[SEATED + carpet] &= ~(1 << cushion)
    elif kind == ENTER:
        s[PLACE + carpet] = cell
        s[GENIES] &= ~(1 << cell)
        s[SEATED + carpet] = 1 << cushion if cushion != NOBODY else 0
        s[QUIET] = 0
    elif kind == CAPTURE:
        prey, seat = carpet_on(s, cell), s[TURN]
        s[PRISON + seat] += SEATED_COUNT[s[SEATED + prey]]
        s[CAPTURED + seat] += 1
        s[PLACE + prey] = HAND
        s[SEATED + prey] = 0
        s[PLACE + carpet] = cell
        s[QUIET] = 0
        if has_won(s, seat):
            s[ENDED] = 1
        else:
            s[PICKER] = prey // s[EACH]
            s[PICKED] = carpet
        return
    else:
        s[QUIET] += 1
        if kind == MOVE:
            if s[GENIES] >> cell & 1:
                s[GENIES] &= ~(1 << cell)
                s[SEATED + carpet] |= 1 << cushion
            elif cushion != NOBODY:
                s[GENIES] |= 1 << s[PLACE + carpet]
                s[SEATED + carpet] &= ~(1 << cushion)
            s[PLACE + carpet] = cell
    pass_on(s)
