"""The board of Marrakech as tables: squares, Assam's walks, and the places for a rug.

A square is the number 8 × column + row, so that ascending numbers are ascending
notations. Only seven of each eight numbers are squares: the spare one between two
columns keeps a shifted set of squares (an integer with one bit per square) from
running over the edge. What shows on all squares is one integer too, with a lane of
64 bits for the squares of each colour. A pose is 4 × square + heading. A spot, one of the 84 places
for a rug, is a single bit of its own, so that sets of spots are integers too.
"""

from __future__ import annotations

from typing import NamedTuple

SIDE = 7
STRIDE = 8
LANE = 64
HEADINGS = ("north", "east", "south", "west")
NORTH, EAST, SOUTH, WEST = range(4)
FORWARD = (1, STRIDE, -1, -STRIDE)
# How many quarter turns to the right each action means.
QUARTERS = {"turn:L": -1, "turn:R": 1, "turn:S": 0, "roll": 0}
DIE = (1, 2, 2, 3, 3, 4)

SQUARES = tuple(STRIDE * column + row for column in range(SIDE) for row in range(SIDE))
NAMES = {square: "abcdefg"[square // STRIDE] + "1234567"[square % STRIDE] for square in SQUARES}
NUMBERS = {name: square for square, name in NAMES.items()}

# The lines that a mosaic joins at each edge. The line left over at an edge ends
# in the loop around its corner.
MOSAICS = {
    NORTH: (("a", "b"), ("c", "d"), ("e", "f")),
    EAST: (("6", "5"), ("4", "3"), ("2", "1")),
    SOUTH: (("b", "c"), ("d", "e"), ("f", "g")),
    WEST: (("7", "6"), ("5", "4"), ("3", "2")),
}
# Around the corner loops (top right, bottom left): he leaves this way, he comes back that way.
LOOPS = {NORTH: WEST, EAST: SOUTH, SOUTH: EAST, WEST: NORTH}


def pose(square: int, heading: int) -> int:
    return 4 * square + heading


def turned(at: int, quarters: int) -> int:
    """The same square, facing so many quarter turns further to the right."""
    return at & ~3 | (at + quarters) & 3


def _partner(square: int, edge: int) -> int | None:
    """Where the mosaic brings him back in on a paired line; None where the line is a loop."""
    name = NAMES[square]
    for one, other in MOSAICS[edge]:
        if one in name:
            return NUMBERS[name.replace(one, other)]
        if other in name:
            return NUMBERS[name.replace(other, one)]
    return None


def _step(at: int) -> int:
    square, heading = divmod(at, 4)
    ahead = square + FORWARD[heading]
    if ahead in NAMES:
        return pose(ahead, heading)
    partner = _partner(square, heading)
    if partner is None:
        return pose(square, LOOPS[heading])
    return pose(partner, (heading + 2) % 4)


class Walk(NamedTuple):
    end: int
    path: tuple[str, ...]


def _walks(at: int) -> dict[int, Walk]:
    """From this pose, for each face of the die: the pose at the end and the squares walked."""
    walks = {}
    path: tuple[str, ...] = ()
    for face in range(1, max(DIE) + 1):
        at = _step(at)
        path = (*path, NAMES[at // 4])
        walks[face] = Walk(at, path)
    return walks


POSES = tuple(pose(square, heading) for square in SQUARES for heading in range(4))
POSE_NAMES = {at: f"{NAMES[at // 4]} {HEADINGS[at % 4]}" for at in POSES}
WALKS = {at: _walks(at) for at in POSES}
START = pose(NUMBERS["d4"], SOUTH)


LANES = 4
EVERY_LANE = sum(1 << LANE * lane for lane in range(LANES))
BOARD = sum(1 << square for square in SQUARES)


class Spot(NamedTuple):
    bit: int
    action: str
    squares: tuple[int, int]
    cover: int
    """The two squares as a set of squares."""
    bare: int
    """All other squares, in every lane."""


def _spots() -> tuple[Spot, ...]:
    pairs = sorted(
        (square, square + offset)
        for square in SQUARES
        for offset in (FORWARD[NORTH], FORWARD[EAST])
        if square + offset in NAMES
    )
    return tuple(_spot(1 << number, a, b) for number, (a, b) in enumerate(pairs))


def _spot(bit: int, a: int, b: int) -> Spot:
    cover = 1 << a | 1 << b
    return Spot(bit, f"lay:{NAMES[a]}{NAMES[b]}", (a, b), cover, ~(cover * EVERY_LANE))


SPOTS = _spots()
SPOT_BY_ACTION = {spot.action: spot for spot in SPOTS}
SPOT_BY_BIT = {spot.bit: spot for spot in SPOTS}


def beside(squares: int) -> int:
    """These squares and all that share a side with one of them; may hold spare bits."""
    return squares | squares << 1 | squares >> 1 | squares << STRIDE | squares >> STRIDE


def region(square: int, field: int) -> int:
    """The squares of the field that are connected with this one, which lies in it."""
    found, wider = 0, 1 << square
    while wider != found:
        found = wider
        wider = beside(found) & field
    return found


def _reach(square: int) -> tuple[Spot, ...]:
    """The spots that touch a neighbour of the square and not the square itself."""
    here = 1 << square
    return tuple(spot for spot in SPOTS if spot.cover & beside(here) and not spot.cover & here)


REACH = {square: _reach(square) for square in SQUARES}
REACH_BITS = {square: sum(spot.bit for spot in spots) for square, spots in REACH.items()}
# The spots that share a square with this one, itself included.
TOUCHING = {
    spot.bit: sum(other.bit for other in SPOTS if other.cover & spot.cover) for spot in SPOTS
}
