"""Looking ahead in Ifrito: alpha-beta over the most promising actions of each position.

With more than two players the searcher takes everybody else for one opponent who plays turn by
turn.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .kernel import (
    ALL_CUSHIONS,
    CAPTURED,
    EACH,
    ENDED,
    GENIES,
    HAND,
    LEFT,
    LENGTH,
    MOST_ACTIONS,
    NEAR,
    NEED,
    PLACE,
    PRISON,
    SEATED,
    SEATED_COUNT,
    SEATS,
    TURN,
    act,
    actions,
    count_of,
    decider,
    has_won,
)

WIN = 1_000_000
GENIE_WON = 100
CARPET_WON = np.array([0, 250, 650, 2000], np.int64)
IN_HAND = -40
# By how many genies sit on a carpet: the first ones give it its directions.
ABOARD = np.array([-60, 20, 45, 70, 92, 112, 130, 146, 160, 172], np.int64)
# By how many cells a carpet could fly to: one that is stuck is a prey and no hunter.
FREEDOM = np.array(
    [-60, -15, 5, 20, 30, 38, 45, 50, 55, 58, 61, 64, 66, 68, 70, 71, 72, 73], np.int64
)
# What a capture that could come next is worth, in hundredths of its spoils.
TO_MOVE, NOT_TO_MOVE = 80, 25

# How many actions of each position are looked at, one deeper after the other.
MERCHANT = np.zeros(0, np.int64)
VIZIER = np.full(4, 12, np.int64)
# Actions that look so much alike are equally good at first glance.
ALIKE = 6


@compiled
def spoils(s, carpet):
    """What capturing a carpet brings, roughly."""
    return GENIE_WON * SEATED_COUNT[s[SEATED + carpet]] + 250


@compiled
def freedom(s, carpet):
    """How many cells without a carpet one could fly to."""
    cell, seated = s[PLACE + carpet], s[SEATED + carpet]
    taken = 0
    for other in range(s[SEATS] * s[EACH]):
        if s[PLACE + other] >= 0:
            taken |= 1 << s[PLACE + other]
    if seated == ALL_CUSHIONS:
        taken |= s[GENIES]
    count = 0
    for index in range(17):
        target = NEAR[cell, index]
        if target < 0:
            break
        count += not NEED[cell, target] & ~seated and not taken >> target & 1
    return count


@compiled
def standing(s, seat):
    value = GENIE_WON * s[PRISON + seat] + CARPET_WON[min(s[CAPTURED + seat], 3)]
    for carpet in range(seat * s[EACH], (seat + 1) * s[EACH]):
        if s[PLACE + carpet] == HAND:
            value += IN_HAND
        else:
            value += ABOARD[SEATED_COUNT[s[SEATED + carpet]]]
            value += FREEDOM[freedom(s, carpet)]
    return value


@compiled
def best_prey(s, hunter, seat):
    """The most that one seat could take from another with its next action."""
    best = 0
    for carpet in range(hunter * s[EACH], (hunter + 1) * s[EACH]):
        if s[PLACE + carpet] < 0:
            return 0
    for carpet in range(hunter * s[EACH], (hunter + 1) * s[EACH]):
        strength = SEATED_COUNT[s[SEATED + carpet]]
        for prey in range(seat * s[EACH], (seat + 1) * s[EACH]):
            if s[PLACE + prey] < 0:
                continue
            genies = SEATED_COUNT[s[SEATED + prey]]
            if genies == 0 or genies > strength:
                continue
            if not NEED[s[PLACE + carpet], s[PLACE + prey]] & ~s[SEATED + carpet]:
                best = max(best, spoils(s, prey))
    return best


@compiled
def outcome(s, me):
    """The worth of a game that is over."""
    if has_won(s, s[TURN]):
        return WIN if s[TURN] == me else -WIN
    rival = -1
    for seat in range(s[SEATS]):
        if seat != me:
            rival = max(rival, count_of(s, seat))
    own = count_of(s, me)
    return WIN if own > rival else -WIN if own < rival else 0


@compiled
def worth(s, me):
    """How well things stand for a seat: against the best of the others."""
    if s[ENDED]:
        return outcome(s, me)
    own = standing(s, me)
    mover = decider(s)
    rival = -WIN
    for seat in range(s[SEATS]):
        if seat == me or s[LEFT + seat]:
            continue
        theirs = standing(s, seat)
        take, lose = best_prey(s, me, seat), best_prey(s, seat, me)
        theirs -= take * (TO_MOVE if mover == me else NOT_TO_MOVE) // 100
        theirs += lose * (TO_MOVE if mover == seat else NOT_TO_MOVE) // 100
        rival = max(rival, theirs)
    return own - rival


@compiled
def glance(s, child, me, into, values):
    """Write the replies with how good each looks to who makes it; answer how many."""
    sign = 1 if decider(s) == me else -1
    count = actions(s, into)
    for index in range(count):
        child[:] = s
        act(child, into[index])
        values[index] = sign * worth(child, me)
    return count


@compiled
def look(stack, lists, values, depth, widths, me, floor):
    """The worth of the position at the bottom of the stack, so many actions ahead.

    Where it turns out to be no better than the floor, the answer is only that.
    """
    if depth == 0 or stack[0, ENDED]:
        return worth(stack[0], me)
    # By level, how often it may still try another action, and what it found so far.
    tries = np.zeros(depth, np.int64)
    count = np.zeros(depth, np.int64)
    sign = np.zeros(depth, np.int64)
    best = np.zeros(depth, np.int64)
    level, opening = 0, True
    while True:
        s, child = stack[level], stack[level + 1]
        if opening:
            count[level] = glance(s, child, me, lists[level], values[level])
            sign[level] = 1 if decider(s) == me else -1
            opening = False
            if level + 1 == depth:
                # What the glance saw is all there is to see.
                best[level] = values[level, : count[level]].max()
                tries[level] = 0
            else:
                best[level] = -3 * WIN
                tries[level] = min(count[level], widths[level])
        if tries[level] and not settled(best, sign, level, floor):
            tries[level] -= 1
            index = np.argmax(values[level, : count[level]])
            values[level, index] = -4 * WIN
            child[:] = s
            act(child, lists[level, index])
            if not child[ENDED]:
                level, opening = level + 1, True
                continue
            value = worth(child, me)
        elif level == 0:
            return sign[0] * best[0]
        else:
            value = sign[level] * best[level]
            level -= 1
        best[level] = max(best[level], sign[level] * value)


@compiled
def settled(best, sign, level, floor):
    """Whether some player above would not let the game come to this level any more."""
    mine, theirs = floor, 3 * WIN
    for each in range(level + 1):
        if sign[each] > 0:
            mine = max(mine, best[each])
        else:
            theirs = min(theirs, -best[each])
    return mine >= theirs


@compiled
def weigh(s, widths, noise, into, scores):
    """Write the actions of a position and what each is worth; answer how many there are.

    It looks one action further than there are widths. Noise is what each action looks better than
    it is, at the first glance; it decides in which order they are tried, and only one that is
    better than all before it gets its full worth.
    """
    me, depth = decider(s), widths.size
    stack = np.empty((depth + 1, LENGTH), np.int64)
    lists = np.empty((depth + 1, MOST_ACTIONS), np.int64)
    values = np.empty((depth + 1, MOST_ACTIONS), np.int64)
    count = glance(s, stack[0], me, into, scores)
    scores[:count] += noise[:count]
    if depth == 0:
        return count
    best = -3 * WIN
    for place, index in enumerate(np.argsort(-scores[:count])):
        if place >= 3 * widths[0]:
            scores[index] = -4 * WIN
            continue
        stack[0] = s
        act(stack[0], into[index])
        value = look(stack, lists, values, depth, widths, me, best)
        if value > best:
            scores[index] = best = value
        else:
            scores[index] = min(value, best - 1)
    return count
