"""A turn of Ifrito in numbered steps: which carpet, where to, on which cushion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.engine.interface import Facts
from games.titles.places import Offer, Place, Points

from .board.choice import HAND, choose
from .board.drawing import Board, Cell, draw
from .rules.actions import Capture, Enter, Move, read
from .words import WORDS

PICTURE = "0 0 311 456"
ABOVE = {"U": 9, "L": 237}
"""Where the planes begin in the picture of both."""
BESIDE = 17
MARK = 7
"""From the corner of a cell, so that the number hides nothing that stands there."""
CLOSE_UP = "0 0 300 210"


def offer(seen: Facts, chosen: str, names: Sequence[str]) -> Offer:
    board = draw(seen, interactive=True, chosen=chosen)
    choice = board.choice
    cushions = bool(board.pad)
    asked = WORDS.question(choice, names)
    return Offer(
        heading=asked.heading,
        note="" if choice.step == "source" else asked.note,  # nothing is tapped in a list
        places=[*(_cushions(board, seen) if cushions else _cells(board, seen, names))],
        view_box=CLOSE_UP if cushions else PICTURE,
        close_up="_cushions.svg" if cushions else "",
        action=choice.action,
        chosen=choice.back is not None,
    )


def _cells(board: Board, seen: Facts, names: Sequence[str]) -> Iterator[Place]:
    choice = board.choice
    if choice.step == "pass":
        yield Place(WORDS.choice(choice.action, seen), action=choice.action)
    if choice.step == "source" and choice.sources.get(HAND):
        yield Place(WORDS.from_hand(), choose=HAND)
    for cell in (cell for plane in board.planes for cell in plane.cells):
        is_open = cell.sign not in ("", "refused") and not cell.chosen
        if cell.tap and is_open and (choice.step == "source" or cell.way):
            yield _cell(cell, seen, names)


def _cell(cell: Cell, seen: Facts, names: Sequence[str]) -> Place:
    """Where nothing is left to choose afterwards, its action can be played at once."""
    whole = choose(seen, cell.tap)
    playable = whole.step == "confirm" and not whole.cushion_taps
    x, y = _corner(cell)
    return Place(
        WORDS.cell(cell, names),
        action=whole.action if playable else "",
        choose=cell.tap,
        x=f"{x:g}",
        y=f"{y:g}",
    )


def _corner(cell: Cell) -> tuple[float, float]:
    return BESIDE + float(cell.x) + MARK, ABOVE[cell.name[0]] + float(cell.y) + MARK


def _cushions(board: Board, seen: Facts) -> Iterator[Place]:
    """On the carpet in question, drawn large; the number stands beside the cushion's middle."""
    for cushion in board.pad:
        if cushion.tap:
            yield Place(
                WORDS.choice(cushion.tap, seen),
                action=cushion.tap,
                choose=cushion.tap,
                x=f"{int(cushion.x) + 24}",
                y=f"{int(cushion.y) - 14}",
            )


def point(seen: Facts, action: str) -> tuple[float, float] | None:
    """Where a carpet comes to lie."""
    match read(action):
        case Enter(cell=name) | Move(end=name) | Capture(end=name):
            cells = (cell for plane in draw(seen).planes for cell in plane.cells)
            return next(_corner(cell) for cell in cells if cell.name == name)
    return None


POINTS = Points(PICTURE, point)
