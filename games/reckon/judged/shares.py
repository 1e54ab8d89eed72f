"""Win shares in whole millionths, which always sum to exactly one win."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

Shares = tuple[int, ...]
"""The win share of every seat, in millionths; they sum to `WHOLE`."""

WHOLE = 1_000_000
POINT = WHOLE // 100
"""A point of win share: a hundredth of a win."""

_FINE = 1_000_000_000


def whole(shares: Sequence[float]) -> Shares:
    """From fractions. They are rounded before anything is reckoned with them."""
    fine = [round(share * _FINE) for share in shares]
    return apportioned([part * WHOLE for part in fine], sum(fine))


def apportioned(parts: Sequence[int], divisor: int) -> Shares:
    """Each part divided; what rounding down leaves goes to the largest remainders, of equal
    ones to the first."""
    shares = [part // divisor for part in parts]
    lacking = sum(parts) // divisor - sum(shares)
    by_remainder = sorted(range(len(parts)), key=lambda place: (-(parts[place] % divisor), place))
    for place in by_remainder[:lacking]:
        shares[place] += 1
    return tuple(shares)


def mean(outcomes: Sequence[Sequence[int]]) -> Shares:
    """Of shares in millionths that were rounded one by one, so that they need not sum up."""
    sums = [sum(column) for column in zip(*outcomes, strict=True)]
    return apportioned([part * WHOLE for part in sums], sum(sums))


def standard_error(values: Sequence[int]) -> int:
    """Of the mean of these values, rounded up: nothing looks surer than it is."""
    count = len(values)
    squares = count * sum(value * value for value in values) - sum(values) ** 2
    return isqrt(squares // (count * count * (count - 1))) + 1 if squares else 0


def won(ranking: Sequence[Sequence[int]], seats: int) -> Shares:
    """The end of a game: one win, shared by all who are first."""
    first = ranking[0]
    return apportioned([WHOLE * (seat in first) for seat in range(seats)], len(first))
