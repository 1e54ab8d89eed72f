"""Looking further ahead in Ifrito: ever deeper, as far as a fixed number of positions reaches."""

from __future__ import annotations

import numpy as np

from games.titles.compiling import compiled

from .kernel import LENGTH, MOST_ACTIONS, decider
from .search import WIN, glance, look, reply

# How many actions of each position are looked at, one deeper after the other, and how many
# positions in all.
WIDTHS = np.array([24, 12, 12, 10, 10, 8, 8, 8, 8, 8, 8], np.int64)
BUDGET = 800_000
ROOM = 4 * MOST_ACTIONS


def ranked(s: np.ndarray, noise: np.ndarray) -> list[int]:
    """The actions that are looked at, the best first."""
    into, scores = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int64)
    count = weigh(s, WIDTHS, BUDGET, noise, into, scores)
    order = sorted(range(count), key=lambda index: -scores[index])
    return [int(into[index]) for index in order if scores[index] > -2 * WIN]


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
    count = glance(s, stack[0], me, True, into, scores)
    scores[:count] += noise[:count]
    order = np.argsort(-scores[:count], kind="mergesort")
    alive = min(count, widths[0])
    scores[order[alive:]] = -4 * WIN
    for depth in range(1, most):
        best = -3 * WIN
        for place in range(alive):
            index = order[place]
            stack[0] = s
            reply(stack[0], me, True, into[index])
            value = look(stack, lists, values, depth, widths[1:], me, True, best, spent, budget)
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
