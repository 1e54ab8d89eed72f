"""How sure a share is: “3 of 5” is not 60 %."""

from __future__ import annotations

import math
from typing import NamedTuple

Z = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many deviations."""


class Interval(NamedTuple):
    low: float
    high: float


def wilson(successes: int, trials: int) -> Interval:
    """The Wilson score interval of a share, at 95 %; everything, where nothing was tried."""
    if not trials:
        return Interval(0.0, 1.0)
    share, square = successes / trials, Z * Z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    reach = (
        Z
        * math.sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
        / (1 + square / trials)
    )
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))
