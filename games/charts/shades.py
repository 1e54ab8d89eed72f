"""Maps and calendars: how much there is of something by place or by day, in shades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .plots import placed

SHADES = 6
"""Steps from nothing to the most, each darker than the one before: readable in grey."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of a map: how much there is, in units of the map too, and how dark it is."""

    name: str
    value: int
    shown: int
    shade: int


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A map is a table: planes of rows of cells, with the numbers in them."""

    planes: tuple[tuple[tuple[Cell, ...], ...], ...]
    total: int
    in_thousands: bool
    """Because more digits than four do not fit into a cell."""


def heat_map(planes: Sequence[Sequence[Sequence[str]]], counts: Mapping[str, int]) -> HeatMap:
    """What every cell has at least makes none of them darker than another."""
    values = [counts.get(name, 0) for plane in planes for row in plane for name in row]
    least, most = min(values), max(values)
    unit = 1 if most < 10_000 else 1000
    return HeatMap(
        tuple(
            tuple(
                tuple(
                    Cell(
                        name, value, round(value / unit), _shade(value - least, most - least, value)
                    )
                    for name in row
                    for value in (counts.get(name, 0),)
                )
                for row in plane
            )
            for plane in planes
        ),
        sum(counts.values()),
        in_thousands=unit > 1,
    )


def _shade(value: float, most: float, count: float | None = None) -> int:
    """Nothing is 0; anything else, if only by its count, is at least 1."""
    shade = -int(-SHADES * value // most) if most else 0
    return max(shade, 1) if (value if count is None else count) else 0


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a year; its place in a calendar of weeks."""

    number: int
    x: str
    y: str
    value: int
    shade: int
    month: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Calendar:
    view_box: str
    days: tuple[Day, ...]
    months: tuple[tuple[int, str], ...]
    """The months of the year, and where each begins."""


def calendar(first_weekday: int, months: Sequence[int], counts: Mapping[int, int]) -> Calendar:
    """The days of a year by their number, in columns of weeks that begin with a Monday.

    `months` are their lengths in days.
    """
    most = max(counts.values(), default=0)
    starts = [sum(months[:month]) for month in range(len(months))]
    days = tuple(
        Day(
            number,
            placed(10.0 * ((number + first_weekday) // 7)),
            placed(12 + 10.0 * ((number + first_weekday) % 7)),
            counts.get(number, 0),
            _shade(counts.get(number, 0), most),
            sum(start <= number for start in starts),
        )
        for number in range(sum(months))
    )
    return Calendar(
        view_box="0 0 540 84",
        days=days,
        months=tuple(
            (month + 1, placed(10.0 * ((start + first_weekday + 6) // 7)))
            for month, start in enumerate(starts)
        ),
    )
