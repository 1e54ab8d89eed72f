"""Means over a player's games, and how sure they are: games differ more than decisions do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

WINDOW = 20
"""So many games a moving mean looks back."""
FEWEST = 3
"""From so many games on there is something to draw."""
SURE = 2
"""Standard errors on each side of a band: nineteen times out of twenty the truth is within."""


@dataclass(frozen=True, slots=True)
class Mean:
    mean: float
    error: float
    """The standard error."""

    @property
    def reach(self) -> float:
        """So far to both sides the truth lies, nineteen times out of twenty."""
        return SURE * self.error

    @property
    def low(self) -> float:
        return self.mean - SURE * self.error

    @property
    def high(self) -> float:
        return self.mean + SURE * self.error


def mean_of(sums: Sequence[float], weights: Sequence[float] | None = None) -> Mean | None:
    """What the games come to for each unit of weight, such as a decision; each game counts once
    without weights. None where there is nothing, or no telling how sure it is."""
    weights = weights or [1.0] * len(sums)
    whole, games = sum(weights), len(sums)
    if not whole or games < 2:
        return None
    mean = sum(sums) / whole
    scatter = sum((each - mean * weight) ** 2 for each, weight in zip(sums, weights, strict=True))
    return Mean(mean, sqrt(scatter * games / (games - 1)) / whole)


def moving(sums: Sequence[float], weights: Sequence[float] | None = None) -> list[Mean]:
    """The mean of the last games at each game, from the first that says something on."""
    weights = weights or [1.0] * len(sums)
    found = []
    for end in range(FEWEST, len(sums) + 1):
        start = max(0, end - WINDOW)
        if mean := mean_of(sums[start:end], weights[start:end]):
            found.append(mean)
    return found
