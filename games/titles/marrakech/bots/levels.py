"""Compiled players of Marrakech, from an observation to an action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from games.titles.marrakech.rules import MARRAKECH

from . import judgement, prospects, search
from .reading import number, position
from .tables import MOST_SPOTS

# So many continuations, each of so many rolls of the die.
PLAYOUTS, ROLLS = 3000, 6


def merchant(seen: Mapping[str, Any], seed: int) -> str:
    return _named(seen)[judgement.merchant(position(seen), seed)]


def weighed(seen: Mapping[str, Any], seed: int) -> list[tuple[str, float]]:
    """The Vizier's view: all actions, the best first, with the margin of points to expect."""
    actions = np.zeros(MOST_SPOTS, np.int64)
    scores, margins = np.zeros(MOST_SPOTS), np.zeros(MOST_SPOTS)
    count = search.weigh(position(seen), seed, PLAYOUTS, ROLLS, actions, scores, margins)
    named = _named(seen)
    return [
        (named[action], margin / judgement.POINT)
        for action, margin in zip(actions[:count], margins[:count], strict=True)
    ]


def grand_vizier(seen: Mapping[str, Any], seed: int) -> str:
    """Leaves nothing to chance, so that the seed means nothing."""
    return prospects.actions(seen, thorough=True)[0].action


def _named(seen: Mapping[str, Any]) -> dict[int, str]:
    return {number(action): action for action in seen["legal"]}


def warm_up() -> None:
    """Play an action of each, so that everything is compiled."""
    opening = MARRAKECH.observe(MARRAKECH.start(4, {}, ()), 0)
    merchant(opening, 0)
    weighed(opening, 0)
    grand_vizier(opening, 0)
    prospects.trials(opening, "turn:S", 0, 0, 1)
