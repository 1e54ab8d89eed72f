"""The places for a rug, each with its number between the two squares that it would cover."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.interface import Facts
from games.titles.places import Offer, Place, Points

from .board.drawing import VIEW_BOX
from .board.grid import HEADINGS, Square, centre
from .board.mosaics import SIDE
from .rules.actions import Lay, Turn, read
from .words import WORDS


def offer(seen: Facts, chosen: str, names: Sequence[str]) -> Offer:
    legal = seen["legal"]
    action = chosen if chosen in legal else ""
    return Offer(
        heading=_heading(action, seen),
        places=[_place(each, seen) for each in WORDS.in_order(legal)],
        view_box=VIEW_BOX,
        action=action,
        chosen=bool(action),
    )


def _heading(action: str, seen: Facts) -> str:
    if not action:
        return WORDS.task(seen["pending"]["kind"])
    return WORDS.confirmation(action) if isinstance(read(action), Lay) else ""


def _place(action: str, seen: Facts) -> Place:
    label = WORDS.choice(action, seen)
    match read(action):
        case Lay(one, other):
            x, y = _between(one, other)
            return Place(label, action, choose=action, x=f"{x:g}", y=f"{y:g}")
    return Place(label, action)


def _between(one: str, other: str) -> tuple[float, float]:
    ends = [centre(Square.named(name), SIDE) for name in (one, other)]
    return sum(end.x for end in ends) / 2, sum(end.y for end in ends) / 2


def point(seen: Facts, action: str) -> tuple[float, float] | None:
    """A rug lies between its squares; whoever turns goes to a square beside Assam."""
    match read(action):
        case Lay(one, other):
            return _between(one, other)
        case Turn(side):
            square = Square.named(seen["assam"]["square"])
            ahead = square.towards(HEADINGS[seen["assam"]["facing"]].turned(side))
            at = centre(ahead, SIDE)
            return at.x, at.y
    return None


POINTS = Points(VIEW_BOX, point)
