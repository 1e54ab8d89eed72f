"""Looking further ahead in Ifrito: ever deeper, as far as a fixed number of positions reaches.

With more than two players everybody else is one opponent, who answers *as one* with whatever of
all the others' actions is worst. That leaves more of the depth for the searcher's own plans than a
round of everybody's turns would.
"""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from . import notebook
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
from .notebook import numbered, page, write_down
from .search import WIN, worth

# By the number of players how many actions of each position are looked at, one deeper after the
# other: against several the replies are as many more, and to see far is worth more than to see all.
# And how many positions in all.
FAR = np.array([16, 8, 7, 6, 6, 5, 5, 5, 4, 4, 4, 4, 4], np.int64)
WIDTHS = {2: np.array([24, 12, 12, 10, 10, 8, 8, 8, 8, 8, 8], np.int64), 3: FAR, 4: FAR}
BUDGET = 2_500_000
ROOM = 4 * MOST_ACTIONS

# What each level of the search knows: how many actions it is to look ahead, between what its worth
# matters by now and at first, what was found and by which action, what is being tried, how many
# replies there are and how many of them may still be tried, and the number of its position.
AHEAD, LOW, HIGH, FLOOR, CEILING, FOUND, BEST, TRIED, COUNT, TRIES, NUMBER, KNOWN = range(12)


def ranked(s: np.ndarray, noise: np.ndarray) -> list[int]:
    """The actions that are looked at, the best first."""
    into, scores = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int64)
    count = weigh(s, WIDTHS[int(s[SEATS])], BUDGET, noise, notebook.blank(), into, scores)
    order = sorted(range(count), key=lambda index: -scores[index])
    return [int(into[index]) for index in order if scores[index] > -2 * WIN]


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
    """Act for whoever owns the carpet; the others as one and the searcher are to act in turn."""
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
def frontier(s, child, me, into, low, high, spent):
    """The worth of a position one action ahead, as far as it matters between low and high."""
    mine = decider(s) == me
    count = replies(s, me, into)
    for index in range(count - 1, -1, -1):
        child[:] = s
        reply(child, me, into[index])
        value = worth(child, me)
        spent[0] += 1
        if mine:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if mine else high


@compiled
def look(desk, depth, widths, me, floor, spent, budget):
    """The worth of the position at the bottom of the stack, so many actions ahead.

    Where it turns out to be no better than the floor, the answer is only that; where more
    positions than the budget are spent it means nothing.
    """
    stack, lists, values, levels, notes = desk
    level, opening = 0, True
    levels[0, AHEAD], levels[0, LOW], levels[0, HIGH] = depth, floor, 3 * WIN
    while True:
        s, child, here = stack[level], stack[level + 1], levels[level]
        value, is_known = here[FOUND], False
        if opening:
            opening = False
            if s[ENDED]:
                value, is_known = worth(s, me), True
            elif here[AHEAD] == 1 and s[PICKER] < 0:
                low, high = here[LOW], here[HIGH]
                value, is_known = frontier(s, child, me, lists[level], low, high, spent), True
            elif opened(s, here, notes):
                value, is_known = here[FOUND], True
            else:
                here[COUNT] = glance(s, child, me, lists[level], values[level])
                here[TRIES] = min(here[COUNT], widths[widths.size - here[AHEAD]])
                here[FOUND] = -3 * WIN if decider(s) == me else 3 * WIN
                spent[0] += here[COUNT]
                for place in range(here[COUNT]):
                    if lists[level, place] == here[BEST]:
                        values[level, place] = 3 * WIN
        if spent[0] > budget:
            return 0
        if not is_known:
            if here[TRIES] and here[LOW] < here[HIGH]:
                here[TRIES] -= 1
                index = np.argmax(values[level, : here[COUNT]])
                values[level, index] = -4 * WIN
                here[TRIED] = lists[level, index]
                child[:] = s
                reply(child, me, here[TRIED])
                below = levels[level + 1]
                below[AHEAD] = here[AHEAD] - (s[PICKER] < 0)
                below[LOW], below[HIGH] = here[LOW], here[HIGH]
                level, opening = level + 1, True
                continue
            value, number = here[FOUND], here[NUMBER]
            note = page(notes, number)
            write_down(note, number, here[AHEAD], value, here[FLOOR], here[CEILING], here[BEST])
        if level == 0:
            return value
        level -= 1
        heard(levels[level], value, decider(stack[level]) == me)


@compiled
def opened(s, here, notes):
    """Begin with a position: whether what the notebook says of it is all that matters here."""
    number = numbered(s)
    note = page(notes, number)
    here[NUMBER], here[BEST] = number, -1
    if note[notebook.NUMBER] == number:
        here[BEST], here[FOUND] = note[notebook.BEST], note[notebook.VALUE]
        if note[notebook.AHEAD] == here[AHEAD]:
            if note[notebook.BOUND] != notebook.AT_MOST:
                here[LOW] = max(here[LOW], here[FOUND])
            if note[notebook.BOUND] != notebook.AT_LEAST:
                here[HIGH] = min(here[HIGH], here[FOUND])
    here[FLOOR], here[CEILING] = here[LOW], here[HIGH]
    return here[LOW] >= here[HIGH]


@compiled
def heard(here, value, mine):
    """Take in what the action that was just tried is worth."""
    is_better = value > here[FOUND] if mine else value < here[FOUND]
    if is_better:
        here[FOUND], here[BEST] = value, here[TRIED]
    if mine:
        here[LOW] = max(here[LOW], value)
    else:
        here[HIGH] = min(here[HIGH], value)


@compiled
def weigh(s, widths, budget, noise, notes, into, scores):
    """Write the actions of a position and what each is worth; answer how many there are.

    One action deeper after the other; what does not fit into the budget any more counts for
    nothing. A pick is looked at with the capture before it, so that there is room for as many.
    """
    me, most = decider(s), widths.size
    stack = np.empty((2 * most + 2, LENGTH), np.int64)
    lists = np.empty((2 * most + 2, ROOM), np.int64)
    values = np.empty((2 * most + 2, ROOM), np.int64)
    levels = np.zeros((2 * most + 2, KNOWN), np.int64)
    desk = stack, lists, values, levels, notes
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
            value = look(desk, depth, widths[: depth + 1], me, best, spent, budget)
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
