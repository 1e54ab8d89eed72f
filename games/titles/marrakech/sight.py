"""The square without how it came about, so that a position is known however it is dressed up.

Which rug was laid first, what lies under others, who sits where and in which colours, which way
Assam looks, and from which side one looks at the square: none of that makes it another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

LAST = 6

Square = tuple[int, int]

# What leaves the ways over the mosaics as they are.
SIDES: tuple[Callable[[int, int], Square], ...] = (
    lambda column, row: (column, row),
    lambda column, row: (row, column),
    lambda column, row: (LAST - column, LAST - row),
    lambda column, row: (LAST - row, LAST - column),
)
TURNED: tuple[dict[str, Square], ...] = tuple(
    {
        f"{letter}{digit}": side(column, row)
        for column, letter in enumerate("abcdefg")
        for row, digit in enumerate("1234567")
    }
    for side in SIDES
)


def sight(seen: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where Assam stands and what shows of each rug, colours numbered as one comes upon them."""
    return min(_from_a_side(seen, turned) for turned in TURNED)


def _from_a_side(seen: Mapping[str, Any], turned: Mapping[str, Square]) -> tuple[Any, ...]:
    rugs = sorted(
        (sorted(turned[square] for square in rug["visible"]), rug["colour"]) for rug in seen["rugs"]
    )
    numbers: dict[str, int] = {}
    shown = [(squares, numbers.setdefault(colour, len(numbers))) for squares, colour in rugs]
    return turned[seen["assam"]["square"]], shown
