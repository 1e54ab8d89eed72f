"""What a position of Marrakech before a roll looks like to the network.

Seats count from the mover on. Nothing here looks at a pile: with two players the colour of a rug
to come is a secret, and a judgement that knew it would know too much.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled
from games.titles.marrakech.rules import geometry
from games.titles.marrakech.rules.geometry import BOARD, DIE, POSES, SQUARES, WALKS, beside

from .kernel import (
    ASSAM,
    COLOURS_EACH,
    COVER_OWN,
    FIELD,
    GONE,
    GONE_COUNT,
    INSOLVENT_OUT,
    MOVER,
    PURSE,
    RUGS,
    SEATS,
    TURN_AFTER,
    WHOLE,
    bits,
    own_squares,
    region,
    rugs_left,
    turned,
)
from .tables import SIZE, WALK

# The features of a seat, and by what each is divided to be a number of about 1.
OF_SEAT = (
    ("is in", 1),
    ("purse", 30),
    ("squares", 12),
    ("exposed squares", 2),
    ("largest region", 8),
    ("second largest region", 6),
    ("regions", 6),
    ("squared regions", 60),
    ("whole rugs", 4),
    ("frontier", 12),
    ("thrifty fare", 4),
    ("its worst", 8),
    ("nearly broke", 8),
    ("squares within reach", 2),
    ("rent of this roll", 1),
    ("rent of the next roll", 1),
    ("rent of later rolls", 2),
    ("exposed rent", 8),
    ("fare of the own next roll", 4),
    ("rent in the long run", 1),
    ("lead", 20),
    ("lead that counts", 4),
    ("lead on average", 4),
    ("expected lead", 20),
    ("expected lead that counts", 4),
    ("expected lead on average", 4),
    ("rent within reach", 6),
    ("rugs", 12),
)
OF_TABLE = (
    ("turns to come", 24),
    ("what a lead counts", 1),
    ("turning after", 1),
    ("insolvent go out", 1),
    ("own rugs may be covered", 1),
    ("gone", 1),
    ("empty squares", 49),
    ("last round", 1),
)
EACH, GLOBAL = len(OF_SEAT), len(OF_TABLE)
SCALE = np.array([1 / by for _, by in OF_SEAT], np.float32)
GLOBAL_SCALE = np.array([1 / by for _, by in OF_TABLE], np.float32)
NEARLY_BROKE = 8
# The rolls after the first that are looked at one by one; then, in columns beside them, how
# often Assam stands beside a square in the first few of these, and the long run.
ROLLS, SOON, FAR = 6, 3, 14
BESIDE_SOON, LONG_RUN, COLUMNS = ROLLS, ROLLS + 1, ROLLS + 2
MOST_RUGS = 64
# One of each value of the die, as it is numbered, and how often it comes up.
FACES = np.array([0, 1, 3, 5], np.int64)
ODDS = np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6], np.float32)
DISTINCT = len(FACES)


BESIDE = np.array(
    [
        beside(1 << square) & BOARD & ~(1 << square) if square in SQUARES else 0
        for square in range(SIZE)
    ]
)


def _visits() -> np.ndarray:
    """By turning, pose and square: how likely Assam stands there after each later roll, if every
    turn is as likely as any other. Counted in whole numbers, so that it is the same everywhere."""
    visits = np.zeros((2, 4 * SIZE, SIZE, COLUMNS), np.float32)
    touching = np.array([[here >> square & 1 for square in range(SIZE)] for here in BESIDE])
    for mode, turns in enumerate(((-1, 0, 1), (-1, 1))):
        ends = np.zeros((4 * SIZE, len(DIE) * len(turns)), np.int64)
        for pose in POSES:
            if mode == 0:
                starts = [geometry.turned(pose, quarters) for quarters in turns]
                ends[pose] = [WALKS[start][face].end for start in starts for face in DIE]
            else:
                stops = [WALKS[pose][face].end for face in DIE]
                ends[pose] = [
                    geometry.turned(stop, quarters) for stop in stops for quarters in turns
                ]
        ways = (np.arange(4 * SIZE)[:, None] >> 2 == np.arange(SIZE)).astype(np.int64)
        soon = np.zeros_like(ways, np.float64)
        for roll in range(1, FAR + 1):
            ways = ways[ends].sum(axis=1)
            chances = ways / ends.shape[1] ** roll
            if 2 <= roll < 2 + ROLLS:
                visits[mode, :, :, roll - 2] = chances
            if 2 <= roll < 2 + SOON:
                soon += (ways @ touching) / ends.shape[1] ** roll
        visits[mode, :, :, BESIDE_SOON] = soon
        visits[mode, :, :, LONG_RUN] = chances
    return visits


VISIT = _visits()
ROOT = (1.0 / np.sqrt(1.0 + np.arange(MOST_RUGS))).astype(np.float32)


@compiled
def counted(seat, places, seats):
    """So many places after (or before) a seat, around the table."""
    seat += places
    return seat - seats if seat >= seats else seat + seats if seat < 0 else seat


@compiled
def survey(s, visit, price, owner, rent, land, exposed):
    """Fill, by square, what it costs and whom it belongs to (-1: nobody asks anything), and by
    seat what its squares earn on each later roll, how they hang together (the largest region, the
    second largest, how many there are, and the sum of their squares) and how exposed they lie."""
    seats, each = s[SEATS], s[COLOURS_EACH]
    owner[:] = -1
    price[:] = 0.0
    rent[:] = 0.0
    land[:] = 0
    exposed[:] = 0.0
    for seat in range(seats):
        if s[GONE + seat]:
            continue
        for field in range(seat * each, (seat + 1) * each):
            rest = s[FIELD + field]
            while rest:
                here = region(bits((rest & -rest) - 1), rest)
                rest &= ~here
                size = bits(here)
                if size > land[seat, 0]:
                    land[seat, 1] = land[seat, 0]
                    land[seat, 0] = size
                elif size > land[seat, 1]:
                    land[seat, 1] = size
                land[seat, 2] += 1
                land[seat, 3] += size * size
                cost = np.float32(size)
                exposed[seat] += survey_region(visit, here, seat, cost, price, owner, rent[seat])


@compiled
def survey_region(visit, here, seat, cost, price, owner, rent):
    """Fill this for the squares of one region; answer how exposed they lie. There is a variable
    for the sum of each column, so that all of them stay in the registers of the processor."""
    one = two = three = four = five = six = np.float32(0.0)
    nearby = later = np.float32(0.0)
    while here:
        square = bits((here & -here) - 1)
        here &= here - 1
        owner[square] = seat
        price[square] = cost
        row = visit[square]
        one += row[0]
        two += row[1]
        three += row[2]
        four += row[3]
        five += row[4]
        six += row[5]
        nearby += row[BESIDE_SOON]
        later += row[LONG_RUN]
    rent[0] += cost * one
    rent[1] += cost * two
    rent[2] += cost * three
    rent[3] += cost * four
    rent[4] += cost * five
    rent[5] += cost * six
    rent[BESIDE_SOON] += cost * nearby
    rent[LONG_RUN] += cost * later
    return nearby


@compiled
def survey_stops(s, price, owner, prices, owners):
    """Write the same for the squares where the next roll may lead, by turn of Assam and value of
    the die; answer how many turns there are."""
    turns = 1 if s[TURN_AFTER] else 3
    for turn in range(turns):
        pose = turned(s[ASSAM], turn - turns // 2)
        for index in range(DISTINCT):
            square = WALK[pose, FACES[index]] >> 2
            prices[turn, index] = price[square]
            owners[turn, index] = owner[square]
    return turns


@compiled
def fares(turns, prices, owners, seat):
    """The least that this seat must expect to pay for a roll from here, by which turn, and the
    worst that can come of that turn."""
    least, worst, chosen = np.float32(1e9), np.float32(0.0), 0
    for turn in range(turns):
        cost, most = np.float32(0.0), np.float32(0.0)
        for index in range(DISTINCT):
            if owners[turn, index] != seat:
                cost += ODDS[index] * prices[turn, index]
                most = max(most, prices[turn, index])
        if cost < least:
            least, worst, chosen = cost, most, turn - turns // 2
    return least, worst, chosen


@compiled
def describe_seats(s, x, inside, desk):
    """What each seat has, and what it would pay if Assam went from here for it."""
    _, price, owner, rent, land, exposed, points, outlook, prices, owners = desk
    seats, mover, thrifty = s[SEATS], s[MOVER], 0
    turns = survey_stops(s, price, owner, prices, owners)
    for place in range(seats):
        seat = counted(mover, place, seats)
        inside[place] = s[GONE + seat] == 0
        points[seat] = outlook[seat] = 0.0
        if s[GONE + seat]:
            continue
        own = own_squares(s, seat)
        squares, purse = bits(own), s[PURSE + seat]
        least, worst, turn = fares(turns, prices, owners, seat)
        base = place * EACH
        x[base] = 1.0
        x[base + 1] = purse
        x[base + 2] = squares
        x[base + 3] = exposed[seat]
        for index in range(4):
            x[base + 4 + index] = land[seat, index]
        x[base + 8] = bits(s[WHOLE] & own) + bits(s[WHOLE + 1] & own)
        x[base + 9] = bits((own << 1 | own >> 1 | own << 8 | own >> 8) & BOARD & ~own)
        x[base + 10] = least
        x[base + 11] = worst
        x[base + 17] = rent[seat, BESIDE_SOON]
        x[base + 27] = s[RUGS + seat]
        if s[INSOLVENT_OUT]:
            x[base + 12] = max(NEARLY_BROKE - purse, 0)
        points[seat] = squares + purse
        outlook[seat] = points[seat]
        if place == 0:
            thrifty = turn
            outlook[seat] -= least
    return thrifty


@compiled
def describe_rolls(s, x, rugs, thrifty, desk):
    """What the rolls to come mean for each seat: the squares that the next one brings within
    reach of a rug, and the payments of all as far as they can be seen."""
    _, price, owner, rent, _, _, _, outlook, _, _ = desk
    seats, mover, still_in = s[SEATS], s[MOVER], s[SEATS] - s[GONE_COUNT]
    pose = turned(s[ASSAM], thrifty)
    for index in range(DISTINCT):
        square = WALK[pose, FACES[index]] >> 2
        near = BESIDE[square]
        while near:
            touched = bits((near & -near) - 1)
            near &= near - 1
            if owner[touched] >= 0:
                base = counted(owner[touched], -mover, seats) * EACH
                x[base + 13] += ODDS[index]
                x[base + 26] += ODDS[index] * price[touched]
        payee = owner[square]
        if payee >= 0 and payee != mover:
            received = ODDS[index] * price[square]
            x[counted(payee, -mover, seats) * EACH + 14] += received
            outlook[payee] += received
    # Later everybody pays in turn, as long as there are rugs.
    payer, later = mover, min(rugs - 1, ROLLS)
    for column in range(later):
        payer = counted(payer, 1, seats)
        while s[GONE + payer]:
            payer = counted(payer, 1, seats)
        paid = np.float32(0.0)
        period = 15 if column == 0 else 16
        for seat in range(seats):
            if seat != payer and not s[GONE + seat]:
                paid += rent[seat, column]
                x[counted(seat, -mover, seats) * EACH + period] += rent[seat, column]
                outlook[seat] += rent[seat, column]
        if column < still_in - 1:
            x[counted(payer, -mover, seats) * EACH + 18] = paid
        outlook[payer] -= paid
    beyond = np.float32(max(rugs - 1 - later, 0)) / np.float32(still_in)
    total = np.float32(0.0)
    for seat in range(seats):
        total += rent[seat, LONG_RUN]
    for place in range(seats):
        seat = counted(mover, place, seats)
        x[place * EACH + 19] = rent[seat, LONG_RUN]
        outlook[seat] += beyond * (np.float32(still_in) * rent[seat, LONG_RUN] - total)


@compiled
def describe_leads(s, x, values, root, column):
    """How far each seat is ahead of the best other, and as it counts with so many rugs to come
    ahead of that one and of the average."""
    seats, mover = s[SEATS], s[MOVER]
    others = np.float32(max(seats - s[GONE_COUNT] - 1, 1))
    for place in range(seats):
        seat = counted(mover, place, seats)
        if s[GONE + seat]:
            continue
        best, total = np.float32(-1e9), np.float32(0.0)
        for other in range(seats):
            if other != seat and not s[GONE + other]:
                best = max(best, values[other])
                total += values[other]
        base = place * EACH + column
        x[base] = values[seat] - best
        x[base + 1] = x[base] * root
        x[base + 2] = (values[seat] - total / others) * root


@compiled
def describe(s, x, inside, desk):
    """Write the features of a position before a roll, and who is still in."""
    visit, price, owner, rent, land, exposed, points, outlook, _, _ = desk
    seats = s[SEATS]
    still_in = seats - s[GONE_COUNT]
    rugs, empty = rugs_left(s), np.int64(BOARD)
    for field in range(seats * s[COLOURS_EACH]):
        empty &= ~s[FIELD + field]
    x[:] = 0.0
    survey(s, visit[s[TURN_AFTER], s[ASSAM]], price, owner, rent, land, exposed)
    thrifty = describe_seats(s, x, inside, desk)
    describe_rolls(s, x, rugs, thrifty, desk)
    describe_leads(s, x, points, ROOT[rugs], 20)
    describe_leads(s, x, outlook, ROOT[rugs], 23)
    base = seats * EACH
    x[base] = np.float32(rugs) / np.float32(still_in)
    x[base + 1] = ROOT[rugs]
    x[base + 2] = s[TURN_AFTER]
    x[base + 3] = s[INSOLVENT_OUT]
    x[base + 4] = s[COVER_OWN]
    x[base + 5] = s[GONE_COUNT]
    x[base + 6] = bits(empty)
    x[base + 7] = rugs <= still_in
    for place in range(seats):
        for index in range(EACH):
            x[place * EACH + index] *= SCALE[index]
    for index in range(GLOBAL):
        x[base + index] *= GLOBAL_SCALE[index]


def width(seats: int) -> int:
    """How many features there are."""
    return EACH * seats + GLOBAL
