"""What a room knows to count beside its figures: where on its board, and in which part of a game.

A room that brings a `FIGURING` in `figures.py` gets maps of its board and sums by phase on the
pages of numbers; one that does not has all the rest. The names it counts by are its own:
`map:cell` for a map, `flow:phase` for what flows in the phases of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.interface import Played

from .manifest import Text

PHASES = 3
"""The beginning, the middle and the end of a game: a third of its moves each."""


@dataclass(frozen=True)
class Kind:
    """Something that is counted: its name in the counts, and what pages call it."""

    key: str
    label: Text


@dataclass(frozen=True)
class Moment:
    """Something that stands out in one game: the peak of this name, whose, how high, and after
    which move."""

    key: str
    seat: int
    value: int
    move: int


@dataclass(frozen=True)
class Figuring:
    planes: Sequence[Sequence[Sequence[str]]]
    """The cells of the board by name: planes of rows, as one looks at them."""
    maps: Sequence[Kind]
    flows: Sequence[Kind]
    count: Callable[[int, Sequence[Played]], Sequence[Counter[str]]]
    """For each of so many seats, what it did in these moves."""
    moments: Callable[[Sequence[Played]], Sequence[Moment]]
    """The peaks of these moves, the first of equal ones."""


def phase(number: int, moves: int) -> int:
    """The part of a game that the move with this index belongs to."""
    return PHASES * number // max(moves, 1)
