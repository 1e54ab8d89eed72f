"""Compiled players of Marrakech, from an observation to an action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from games.titles.judging import Prospect
from games.titles.marrakech.rules import MARRAKECH

from . import judgement, prospects, search
from .reading import number, position
from .tables import MOST_SPOTS

# So many continuations, each of so many rolls of the die.
PLAYOUTS, ROLLS = 3000, 6
# The Grand Vizier asks continuations, too, of what is behind the best by no more of a win than
# this: so many of them, and they have so much of the say.
NEAR, SECOND_PLAYOUTS, SAY = 0.03, 6000, 0.25


def merchant(seen: Mapping[str, Any], seed: int) -> str:
    return _named(seen)[judgement.merchant(position(seen), seed)]


def weighed(seen: Mapping[str, Any], seed: int) -> list[tuple[str, float]]:
    """The Vizier's view: all actions, the best first, with the margin of points to expect."""
    return [(action, margin) for action, _, margin in _continued(seen, seed, PLAYOUTS)]


def grand_vizier(seen: Mapping[str, Any], seed: int) -> str:
    """Goes by the network, and in near choices also by the Vizier's continuations: those err
    elsewhere, and know hasty players better."""
    near = _near(prospects.actions(seen, thorough=True), seen["pending"]["seat"])
    if len(near) > 1:
        for action, promise, _ in _continued(seen, seed, SECOND_PLAYOUTS):
            if action in near:
                near[action] += SAY * ((1 + promise) / 2 - near[action])
    return max(near, key=near.__getitem__)


def _near(found: list[Prospect], seat: int) -> dict[str, float]:
    """The actions that are nearly as good as the best, with what they are worth to a seat.

    Those that were not looked at as far come after the others, whatever they seemed to be worth.
    """
    near: dict[str, float] = {}
    most = found[0].shares[seat]
    least = most - NEAR
    for action, shares in found:
        if not least <= shares[seat] <= most:
            break
        near[action] = most = shares[seat]
    return near


def _continued(seen: Mapping[str, Any], seed: int, playouts: int) -> list[tuple[str, float, float]]:
    """All actions, the best first, with what each promises, from -1 to 1, and its margin."""
    actions = np.zeros(MOST_SPOTS, np.int64)
    promises, margins = np.zeros(MOST_SPOTS), np.zeros(MOST_SPOTS)
    count = search.weigh(position(seen), seed, playouts, ROLLS, actions, promises, margins)
    named = _named(seen)
    return [
        (named[int(actions[index])], float(promises[index]), margins[index] / judgement.POINT)
        for index in range(count)
    ]


def _named(seen: Mapping[str, Any]) -> dict[int, str]:
    return {number(action): action for action in seen["legal"]}


def warm_up() -> None:
    """Play an action of each, so that everything is compiled."""
    opening = MARRAKECH.observe(MARRAKECH.start(4, {}, ()), 0)
    merchant(opening, 0)
    weighed(opening, 0)
    grand_vizier(opening, 0)
    prospects.trials(opening, "turn:S", 0, 0, 1)
