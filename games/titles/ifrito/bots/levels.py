"""Compiled players of Ifrito, from an observation to an action."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from games.titles.ifrito.rules import IFRITO

from . import deepening, prospects
from .kernel import MOST_ACTIONS
from .reading import notation, position
from .search import ALIKE, GENIE_WON, MERCHANT, VIZIER, WIN, weigh


def merchant(seen: Mapping[str, Any], seed: int) -> str:
    return _weighed(seen, seed, MERCHANT)[0][0]


def weighed(seen: Mapping[str, Any], seed: int) -> list[tuple[str, float]]:
    """The Vizier's view: the actions with the genies each is worth, the best first.

    All but the best are worth that at most; actions of no interest are left out.
    """
    return _weighed(seen, seed, VIZIER)


def grand_vizier(seen: Mapping[str, Any], seed: int) -> str:
    """Looks further ahead, as far as a fixed number of positions reaches."""
    s = position(seen)
    return notation(s, deepening.ranked(s, _noise(seed))[0])


def _noise(seed: int) -> np.ndarray:
    rng = Random(seed)  # noqa: S311
    return np.array([rng.randrange(ALIKE) for _ in range(MOST_ACTIONS)], np.int64)


def _weighed(seen: Mapping[str, Any], seed: int, widths: np.ndarray) -> list[tuple[str, float]]:
    actions, scores = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int64)
    s = position(seen)
    count = weigh(s, widths, _noise(seed), actions, scores)
    order = sorted(range(count), key=lambda index: -scores[index])
    return [
        (notation(s, int(actions[index])), float(scores[index]) / GENIE_WON)
        for index in order
        if scores[index] > -2 * WIN
    ]


def warm_up() -> None:
    """Play an action of each, and judge one, so that everything is compiled."""
    opening = IFRITO.observe(IFRITO.start(2, {}, ()), 0)
    merchant(opening, 0)
    grand_vizier(opening, 0)
    prospects.shares(opening)
    prospects.trials(opening, prospects.actions(opening)[0].action, 0, 0, 1)
