"""The two planes and the nine cushions: names, neighbours, and where a carpet could fly.

Cells and cushions are numbered in the alphabetical order of their names, so that
whatever is listed by number comes out sorted by notation.
"""

from __future__ import annotations

from functools import cache

CELLS = tuple(f"{plane}{column}{row}" for plane in "LU" for column in "abcde" for row in "12345")
CELL = {name: cell for cell, name in enumerate(CELLS)}
BIT = tuple(1 << cell for cell in range(50))
ALL_CELLS = (1 << 50) - 1

CUSHIONS = ("C", "E", "N", "NE", "NW", "S", "SE", "SW", "W")
CUSHION = {name: 1 << index for index, name in enumerate(CUSHIONS)}
ALL_CUSHIONS = (1 << 9) - 1
READING_ORDER = ("NW", "N", "NE", "W", "C", "E", "SW", "S", "SE")

STEPS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}

EDGE_CELLS = tuple(cell for cell, name in enumerate(CELLS) if name[1] in "ae" or name[2] in "15")
EDGE = sum(BIT[cell] for cell in EDGE_CELLS)


def _needs(cell: int) -> dict[int, int]:
    """Each neighbour of a cell, on both planes, with the cushions that must be seated for it."""
    plane, (column, row) = cell // 25, divmod(cell % 25, 5)
    across, centre = 25 * (1 - plane), CUSHION["C"]
    needs = {across + cell % 25: centre}
    for direction, (east, north) in STEPS.items():
        if 0 <= column + east < 5 and 0 <= row + north < 5:
            level = 5 * (column + east) + row + north
            needs[25 * plane + level] = CUSHION[direction]
            needs[across + level] = CUSHION[direction] | centre
    return dict(sorted(needs.items()))


NEEDS = tuple(_needs(cell) for cell in range(50))


@cache
def reach(cell: int, seated: int) -> tuple[int, ...]:
    """The cells to which these genies point, whatever stands there."""
    return tuple(target for target, needed in NEEDS[cell].items() if needed & seated == needed)


def names(cushions: int) -> list[str]:
    """The cushions of a mask, by name."""
    return [name for name, bit in CUSHION.items() if cushions & bit]
