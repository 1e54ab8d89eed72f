"""A grid of squares named a1, b1, … and how its points lie in a drawing.

Drawings are written as text (`"20 60"`), never as numbers left to a template,
which would print them with the decimal comma of the reader's language.
"""

from __future__ import annotations

from dataclasses import dataclass

CELL = 40
"""The side of a square in drawing units: close to a pixel on a narrow phone."""


@dataclass(frozen=True, slots=True, order=True)
class Square:
    column: int
    row: int

    @classmethod
    def named(cls, name: str) -> Square:
        return cls(ord(name[0]) - ord("a"), int(name[1:]) - 1)

    @property
    def name(self) -> str:
        return f"{chr(ord('a') + self.column)}{self.row + 1}"

    def towards(self, heading: Heading) -> Square:
        return Square(self.column + heading.east, self.row + heading.north)

    def touches(self, other: Square) -> bool:
        return abs(self.column - other.column) + abs(self.row - other.row) == 1


@dataclass(frozen=True, slots=True)
class Heading:
    name: str
    east: int
    north: int

    @property
    def angle(self) -> int:
        """Degrees to turn a figure that was drawn looking east."""
        return {"east": 0, "south": 90, "west": 180, "north": 270}[self.name]

    @property
    def back(self) -> Heading:
        return HEADINGS[_CLOCKWISE[(_CLOCKWISE.index(self.name) + 2) % 4]]

    def turned(self, way: str) -> Heading:
        """The heading after turning L(eft), S(traight on) or R(ight)."""
        quarter = {"L": -1, "S": 0, "R": 1}[way]
        return HEADINGS[_CLOCKWISE[(_CLOCKWISE.index(self.name) + quarter) % 4]]


_CLOCKWISE = ("north", "east", "south", "west")
HEADINGS = {
    "north": Heading("north", 0, 1),
    "east": Heading("east", 1, 0),
    "south": Heading("south", 0, -1),
    "west": Heading("west", -1, 0),
}


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float

    def moved(self, heading: Heading, distance: float) -> Point:
        return Point(self.x + heading.east * distance, self.y - heading.north * distance)

    def __str__(self) -> str:
        return f"{self.x:g} {self.y:g}"


def corner(square: Square, rows: int) -> Point:
    """The top left corner of a square; row 1 is at the bottom."""
    return Point(square.column * CELL, (rows - 1 - square.row) * CELL)


def centre(square: Square, rows: int) -> Point:
    at = corner(square, rows)
    return Point(at.x + CELL / 2, at.y + CELL / 2)
