"""Looking further ahead in Ifrito: ever deeper, as far as a fixed number of positions reaches.

With more than two players the others answer as one: of all that any of them could do, what is
worst for the searcher. That leaves more of the depth for the searcher's own plans than a round
of everybody's turns would.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .kernel import (
    EACH,
    ENDED,
    LEFT,
    LENGTH,
    MOST_ACTIONS,
    PASS,
    PICKER,
    SEATS,
    TURN,
    act,
    actions,
    decider,
)
from .search import WIN, settled, worth

# How many actions of each position are looked at, one deeper after the other, and how many
# positions in all.
WIDTHS = np.array([24, 12, 12, 10, 10, 8, 8, 8, 8, 8, 8], np.int64)
BUDGET = 800_000
ROOM = 4 * MOST_ACTIONS


@compiled
def replies(s, me, into):
    """Write what the seat to act may do, or what anybody but the searcher may; answer how many."""
    if s[SEATS] == 2 or s[PICKER] >= 0 or s[TURN] == me:
        return actions(s, into)
    turn, count = s[TURN], 0
    for seat in range(s[SEATS]):
        if seat != me and not s[LEFT + seat]:
            s[TURN] = seat
            more = actions(s, into[count:])
            if into[count] >> 13 != PASS:
                count += more
    s[TURN] = turn
    if count == 0:
        return actions(s, into)
    return count


@compiled
def reply(s, me, action):
    """Act for whoever owns the carpet; then the searcher and the others are to act in turn."""
    if s[SEATS] == 2:
        act(s, action)
        return
    if s[PICKER] < 0 and s[TURN] != me and action >> 13 != PASS:
        s[TURN] = (action >> 10 & 7) // s[EACH]
    mine = s[TURN] == me
    act(s, action)
    if s[PICKER] < 0 and not s[ENDED]:
        if not mine:
            s[TURN] = me
        elif s[TURN] == me:
            s[ENDED] = 1


@compiled
def glance(s, child, me, into, values):
    """Write the replies with how good each looks to who makes it; answer how many."""
    sign = 1 if decider(s) == me else -1
    count = replies(s, me, into)
    for index in range(count):
        child[:] = s
        reply(child, me, into[index])
        values[index] = sign * worth(child, me)
    return count


@compiled
def look(stack, lists, values, depth, widths, me, floor, spent, budget):
    """The worth of the position at the bottom of the stack, so many actions ahead.

    Where it turns out to be no better than the floor, the answer is only that; where the budget
    is spent it means nothing.
    """
    if depth == 0 or stack[0, ENDED]:
        return worth(stack[0], me)
    tries = np.zeros(depth, np.int64)
    count = np.zeros(depth, np.int64)
    sign = np.zeros(depth, np.int64)
    best = np.zeros(depth, np.int64)
    level, opening = 0, True
    while True:
        s, child = stack[level], stack[level + 1]
        if opening:
            count[level] = glance(s, child, me, lists[level], values[level])
            spent[0] += count[level]
            if spent[0] > budget:
                return 0
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
            reply(child, me, lists[level, index])
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
def weigh(s, widths, budget, noise, into, scores):
    """Write the actions of a position and what each is worth; answer how many there are.

    One action deeper after the other; what does not fit into the budget any more counts for
    nothing.
    """
    me, most = decider(s), widths.size
    stack = np.empty((most + 2, LENGTH), np.int64)
    lists = np.empty((most + 2, ROOM), np.int64)
    values = np.empty((most + 2, ROOM), np.int64)
    trial = np.empty(MOST_ACTIONS, np.int64)
    spent = np.zeros(1, np.int64)
    count = glance(s, stack[0], me, into, scores)
    scores[:count] += noise[:count]
    order = np.argsort(-scores[:count], kind="mergesort")
    alive = min(count, widths[0])
    scores[order[alive:]] = -4 * WIN
    for depth in range(1, most):
        best = -3 * WIN
        for place in range(alive):
            index = order[place]
            stack[0] = s
            reply(stack[0], me, into[index])
            value = look(stack, lists, values, depth, widths[1:], me, best, spent, budget)
            if spent[0] > budget:
                break
            trial[index] = value if value > best else min(value, best - 1)
            best = max(best, value)
        if spent[0] > budget:
            if place > 0 and best > -3 * WIN:
                # The first ones were seen deeper: what beat the favourite there is the better.
                for index in order[:place]:
                    if trial[index] == best:
                        top = scores[order[:alive]].max()
                        scores[index] = top + 1
                        break
            break
        for place in range(alive):
            scores[order[place]] = trial[order[place]]
        order[:alive] = order[:alive][np.argsort(-scores[order[:alive]], kind="mergesort")]
        if abs(best) >= WIN:
            break
    return count
