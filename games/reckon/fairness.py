"""Whether numbers look as chance would have them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

ROUNDS = 1000
SMALL = 1e-15


@dataclass(frozen=True, slots=True)
class Test:
    """A chi-square test: how far the counts are from the expected ones, and how often chance
    alone brings them at least as far."""

    statistic: float
    freedom: int
    probability: float


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> Test:
    statistic = sum(
        (count - mean) ** 2 / mean for count, mean in zip(observed, expected, strict=True)
    )
    freedom = len(observed) - 1
    return Test(statistic, freedom, upper_gamma(freedom / 2, statistic / 2))


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x)."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1 - scale * _series(a, x))
    return scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    """Of the lower function; converges fast where x is small."""
    term = total = 1 / a
    for n in range(1, ROUNDS):
        term *= x / (a + n)
        total += term
        if term < total * SMALL:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """Of the upper function; its continued fraction from the back, which needs no care about
    division by zero."""
    value = 0.0
    for n in range(ROUNDS, 0, -1):
        value = n * (n - a) / (x + 2 * n + 1 - a - value)
    return 1 / (x + 1 - a - value)
