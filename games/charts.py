"""Small charts: numbers become the lines and bars of an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 300.0, 100.0
TOP, BOTTOM = 8.0, 8.0
LEFT, RIGHT = 34.0, 8.0
BAR_FOOT, BAR_HEAD = 18.0, 16.0


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one line; its tone is the name of its colour in the stylesheet."""

    name: str
    tone: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    tone: str
    points: str
    value: float
    """Where the mark stands, or at the end."""
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line of the scale."""

    value: int
    y: str


@dataclass(frozen=True, slots=True)
class LineChart:
    view_box: str
    left: str
    right: str
    top: str
    bottom: str
    lines: tuple[Line, ...]
    levels: tuple[Level, ...]
    mark: str


def line_chart(series: Sequence[Series], *, marked: int | None = None) -> LineChart:
    """Lines over equally many steps; `marked` is the step to point at."""
    values = [value for each in series for value in each.values]
    low, high = _scale(min(values), max(values))
    steps = max(max(len(each.values) for each in series) - 1, 1)

    def x(step: int) -> str:
        return _number(LEFT + (WIDTH - LEFT - RIGHT) * step / steps)

    def y(value: float) -> str:
        return _number(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low))

    lines = []
    for each in series:
        at = len(each.values) - 1 if marked is None else min(marked, len(each.values) - 1)
        lines.append(
            Line(
                name=each.name,
                tone=each.tone,
                points=_corners([(x(step), y(value)) for step, value in enumerate(each.values)]),
                value=each.values[at],
                x=x(at),
                y=y(each.values[at]),
            )
        )
    return LineChart(
        view_box=f"0 0 {WIDTH:g} {HEIGHT:g}",
        left=_number(LEFT),
        right=_number(WIDTH - RIGHT),
        top=_number(TOP),
        bottom=_number(HEIGHT - BOTTOM),
        lines=tuple(lines),
        levels=tuple(Level(level, y(level)) for level in sorted({low, (low + high) // 2, high})),
        mark="" if marked is None else x(marked),
    )


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    text: str
    x: str
    y: str
    width: str
    height: str
    middle: str
    above: str
    expected: str


@dataclass(frozen=True, slots=True)
class BarChart:
    view_box: str
    bars: tuple[Bar, ...]
    floor: str
    foot: str


def bar_chart(
    bars: Sequence[tuple[str, float, str]],
    *,
    expected: Sequence[float] = (),
    most: float | None = None,
) -> BarChart:
    """Upright bars of (label, value, value in words); `expected` draws a line across each."""
    highest = most or max((*(value for _, value, _ in bars), *expected), default=0) or 1
    floor = HEIGHT - BAR_FOOT
    room = floor - BAR_HEAD
    slot = WIDTH / max(len(bars), 1)
    width = min(slot * 0.7, 60.0)
    drawn = []
    for number, (label, value, text) in enumerate(bars):
        height = room * value / highest
        middle = slot * (number + 0.5)
        across = floor - room * expected[number] / highest if expected else None
        drawn.append(
            Bar(
                label=label,
                text=text,
                x=_number(middle - width / 2),
                y=_number(floor - height),
                width=_number(width),
                height=_number(height),
                middle=_number(middle),
                above=_number(floor - height - 4),
                expected="" if across is None else _number(across),
            )
        )
    return BarChart(
        view_box=f"0 0 {WIDTH:g} {HEIGHT:g}",
        bars=tuple(drawn),
        floor=_number(floor),
        foot=_number(HEIGHT - 4),
    )


def _scale(low: float, high: float) -> tuple[int, int]:
    """Whole numbers around the values, at an even distance so that there is a middle."""
    bottom, top = int(low // 1), int(-(-high // 1))
    if top - bottom < 2:
        return (bottom, bottom + 2)
    return (bottom, top + (top - bottom) % 2)


def _corners(points: Sequence[tuple[str, str]]) -> str:
    """Without the points between equal ones: most counts rest most of the time."""
    kept = [
        point
        for number, point in enumerate(points)
        if not 0 < number < len(points) - 1
        or not points[number - 1][1] == point[1] == points[number + 1][1]
    ]
    return " ".join(f"{x},{y}" for x, y in kept)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
