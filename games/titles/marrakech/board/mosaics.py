"""The ways around the Marrakech board: pictures of the mosaics and of walks along them."""

from __future__ import annotations

from collections.abc import Sequence

from .grid import CELL, HEADINGS, Heading, Point, Square, centre

SIDE = 7
RADIUS = CELL / 2

_LOOPS = {
    ("g7", "north"): "west",
    ("g7", "east"): "south",
    ("a1", "south"): "east",
    ("a1", "west"): "north",
}


def on_board(square: Square) -> bool:
    return 0 <= square.column < SIDE and 0 <= square.row < SIDE


def step(square: Square, heading: Heading) -> tuple[Square, Heading]:
    """One step straight ahead; over the edge, along the mosaic to where it comes back in."""
    ahead = square.towards(heading)
    if on_board(ahead):
        return ahead, heading
    if loop := _LOOPS.get((square.name, heading.name)):
        return square, HEADINGS[loop]
    # Counted from the corner without a loop, lines 0 and 1 are paired, 2 and 3, 4 and 5.
    edge = edge_squares(heading)
    return edge[edge.index(square) ^ 1], heading.back


def set_out(end: Square, facing: Heading, steps: int) -> tuple[Square, Heading]:
    """Where a walk of so many steps began, and which way it set out.

    A walk read backwards is a walk: turn round, go the steps, turn round again.
    """
    square, heading = end, facing.back
    for _ in range(steps):
        square, heading = step(square, heading)
    return square, heading.back


def walk(start: Square, heading: Heading, steps: int) -> str:
    """The line of a walk from the middle of a square, as SVG path data."""
    square, parts = start, [f"M{centre(start, SIDE)}"]
    for _ in range(steps):
        ahead, onward = step(square, heading)
        if not on_board(square.towards(heading)):
            parts.append(f"L{_edge(square, heading)}{_arc(square, heading)}")
        parts.append(f"L{centre(ahead, SIDE)}")
        square, heading = ahead, onward
    return "".join(parts)


def _edge(square: Square, heading: Heading) -> Point:
    return centre(square, SIDE).moved(heading, CELL / 2)


def _arc(square: Square, heading: Heading) -> str:
    """The mosaic from where he leaves to where he comes back in."""
    back_on, onward = step(square, heading)
    far = 1 if back_on == square else 0
    leaving, entering = _edge(square, heading), _edge(back_on, onward.back)
    return f"A{RADIUS:g} {RADIUS:g} 0 {far} {_sweep(heading, leaving, entering)} {entering}"


def _sweep(heading: Heading, leaving: Point, entering: Point) -> int:
    """1 if the arc bends to the right of somebody who sets out along it."""
    aside_x, aside_y = entering.x - leaving.x, entering.y - leaving.y
    return 1 if heading.east * aside_y + heading.north * aside_x > 0 else 0


def mosaics() -> tuple[str, ...]:
    """Every mosaic once, as SVG path data."""
    drawn: dict[frozenset[tuple[str, str]], str] = {}
    for heading in HEADINGS.values():
        for square in edge_squares(heading):
            back_on, onward = step(square, heading)
            ends = frozenset({(square.name, heading.name), (back_on.name, onward.back.name)})
            drawn.setdefault(ends, f"M{_edge(square, heading)}{_arc(square, heading)}")
    return tuple(drawn.values())


def edge_squares(heading: Heading) -> Sequence[Square]:
    """The squares along an edge, from the corner that has no loop: top left or bottom right."""
    last = SIDE - 1
    match heading.name:
        case "north":
            return [Square(line, last) for line in range(SIDE)]
        case "west":
            return [Square(0, last - line) for line in range(SIDE)]
        case "south":
            return [Square(last - line, 0) for line in range(SIDE)]
        case _:
            return [Square(last, line) for line in range(SIDE)]
