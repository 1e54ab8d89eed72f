"""How strong players are, by what they achieved without luck.

A result says little, because dice have their say in it. What is left of it without them scatters
far less: strength follows from fewer games. Everybody has a strength, in natural units; to be
expected are shares in proportion to e^strength, from those at the start on. What a game brought
without luck moves the estimates towards it (an extended Kalman filter; each player's doubt is kept
on its own). Sums run in a fixed order: the same games give the same estimates.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import NamedTuple

DOUBT = 1.0
"""Of somebody nobody knows."""
DRIFT = 0.02
"""By how much a player may change from one game to the next."""
SCATTER = 0.3
"""What is left of the variance of a result when its luck is taken away, and a little more."""
LEAST = 0.01
"""No share at the start is smaller."""


class Strength(NamedTuple):
    mean: float = 0.0
    doubt: float = DOUBT


def expected(strengths: Sequence[float], start: Sequence[float]) -> list[float]:
    """The shares that are to be expected of such players."""
    top = max(strengths)
    powers = [
        max(share, LEAST) * exp(each - top) for each, share in zip(strengths, start, strict=True)
    ]
    whole = sum(powers)
    return [power / whole for power in powers]


def learned(
    known: Sequence[Strength], start: Sequence[float], achieved: Sequence[float]
) -> list[Strength]:
    """What is known after a game; `start` and `achieved` are shares, the latter without luck."""
    doubts = [each.doubt * each.doubt + DRIFT * DRIFT for each in known]
    shares = expected([each.mean for each in known], start)
    after = []
    for me, share in enumerate(shares):
        slopes = [-share * other for other in shares]
        slopes[me] += share
        spread = sum(
            slope * slope * doubt for slope, doubt in zip(slopes, doubts, strict=True)
        ) + SCATTER * share * (1 - share)
        gain = doubts[me] * slopes[me] / spread
        mean = known[me].mean + gain * (achieved[me] - share)
        after.append(Strength(mean, sqrt(doubts[me] * (1 - gain * slopes[me]))))
    return after
