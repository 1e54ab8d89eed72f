"""Both planes without how they came about, so that a position is known however it is dressed up.

Who sits where, which of two carpets is which, which plane is the upper one and from which side one
looks at them: none of that makes it another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from .rules.geometry import CELLS, STEPS


class Side(NamedTuple):
    """A way to look at the planes: the numbers of cells and cushions as they are seen then."""

    cells: Mapping[str, int]
    cushions: Mapping[str, int]


def _side(is_below: bool, is_across: bool, signs: tuple[int, int]) -> Side:
    def turned(east: int, north: int) -> tuple[int, int]:
        ahead = (north, east) if is_across else (east, north)
        return signs[0] * ahead[0], signs[1] * ahead[1]

    cells = {}
    for name in CELLS:
        east, north = turned("abcde".index(name[1]) - 2, "12345".index(name[2]) - 2)
        cells[name] = 25 * (name[0] == "LU"[is_below]) + 5 * (east + 2) + north + 2
    cushions = {}
    for name, step in {"C": (0, 0), **STEPS}.items():
        east, north = turned(*step)
        cushions[name] = 3 * (east + 1) + north + 1
    return Side(cells, cushions)


BOTH, SIGNS = (False, True), ((1, 1), (1, -1), (-1, 1), (-1, -1))
SIDES = tuple(_side(*how) for how in product(BOTH, BOTH, SIGNS))


def sight(seen: Mapping[str, Any]) -> tuple[Any, ...]:
    """Where genies wait, and which lie on which carpet, players numbered as one comes upon them."""
    genies = [name for name, cell in seen["cells"].items() if cell["genie"]]
    carpets = [carpet for carpet in seen["carpets"] if carpet["cell"]]
    return min(_from_a_side(genies, carpets, side) for side in SIDES)


def _from_a_side(
    genies: Sequence[str], carpets: Sequence[Mapping[str, Any]], side: Side
) -> tuple[Any, ...]:
    waiting = sum(1 << side.cells[name] for name in genies)
    lying = sorted(
        (
            side.cells[each["cell"]],
            sorted(side.cushions[name] for name in each["cushions"]),
            each["seat"],
        )
        for each in carpets
    )
    numbers: dict[int, int] = {}
    return waiting, [
        (cell, aboard, numbers.setdefault(seat, len(numbers))) for cell, aboard, seat in lying
    ]
