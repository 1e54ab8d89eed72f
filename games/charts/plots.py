"""Small charts: numbers become the lines and bars of an SVG picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 300.0, 100.0
TOP, BOTTOM = 8.0, 8.0
LEFT, RIGHT = 34.0, 8.0
BAR_FOOT, BAR_HEAD = 18.0, 16.0
STEPS = (1, 2, 5, 10, 20, 50, 100, 200)
"""Between the levels of a scale, of which there should be no more than"""
MOST_LEVELS = 4
LETTER = 4.1
"""About as wide is a letter below a bar."""
AREA_WIDTH, AREA_HEIGHT, AREA_FOOT, AREA_HEAD = 600.0, 240.0, 18.0, 18.0
SIGN_WIDTH = 20.0
"""Of two letters with their margin, as large as they are drawn on a phone."""


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
    low: int
    high: int
    steps: int
    band: str
    """How far to both sides of the first line the truth may lie, as the corners of an area."""


def line_chart(
    series: Sequence[Series], *, marked: int | None = None, reach: Sequence[float] = ()
) -> LineChart:
    """Lines over equally many steps; `marked` is the step to point at, `reach` how sure the first
    line is at each step. The scale has room for the last reach; what reaches further is cut off."""
    values = [value for each in series for value in each.values]
    if reach:
        last = series[0].values[-1]
        values += [last - reach[-1], last + reach[-1]]
    low, high = _scale(min(values), max(values))
    steps = max(max(len(each.values) for each in series) - 1, 1)

    def x(step: int) -> str:
        return placed(LEFT + (WIDTH - LEFT - RIGHT) * step / steps)

    def y(value: float) -> str:
        return placed(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low))

    def edge(way: int) -> list[str]:
        near = zip(series[0].values, reach, strict=True)
        heights = [min(max(value + way * far, low), high) for value, far in near]
        return [f"{x(step)},{y(value)}" for step, value in enumerate(heights)]

    # The same few places again and again.
    across = [x(step) for step in range(steps + 1)]
    up = {value: y(value) for value in set(values)}
    lines = []
    for each in series:
        at = len(each.values) - 1 if marked is None else min(marked, len(each.values) - 1)
        lines.append(
            Line(
                name=each.name,
                tone=each.tone,
                points=_corners(
                    [(across[step], up[value]) for step, value in enumerate(each.values)]
                ),
                value=each.values[at],
                x=across[at],
                y=up[each.values[at]],
            )
        )
    return LineChart(
        view_box=f"0 0 {WIDTH:g} {HEIGHT:g}",
        left=placed(LEFT),
        right=placed(WIDTH - RIGHT),
        top=placed(TOP),
        bottom=placed(HEIGHT - BOTTOM),
        lines=tuple(lines),
        levels=tuple(Level(level, y(level)) for level in sorted({low, (low + high) // 2, high})),
        mark="" if marked is None else x(marked),
        low=low,
        high=high,
        steps=steps,
        band=" ".join([*edge(1), *reversed(edge(-1))]) if reach else "",
    )


@dataclass(frozen=True, slots=True)
class BandChart:
    """A line with a band around it."""

    view_box: str
    left: str
    right: str
    band: str
    line: str
    levels: tuple[Level, ...]
    zero: str
    """Where nothing is; empty where that is not on the scale."""


def band_chart(points: Sequence[tuple[float, float, float]]) -> BandChart:
    """For each step the lower end of the band, the value, the upper end; zero is on the scale."""
    least, most = min(0.0, *(each[0] for each in points)), max(0.0, *(each[2] for each in points))
    apart = next(step for step in STEPS if (most - least) / step <= MOST_LEVELS)
    low, high = apart * int(least // apart), apart * max(1, int(-(-most // apart)))
    steps = max(len(points) - 1, 1)

    def at(step: int, value: float) -> tuple[str, str]:
        return (
            placed(LEFT + (WIDTH - LEFT - RIGHT) * step / steps),
            placed(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)),
        )

    ups = [at(step, each[2]) for step, each in enumerate(points)]
    downs = [at(step, each[0]) for step, each in enumerate(points)]
    lines = [at(step, each[1]) for step, each in enumerate(points)]
    return BandChart(
        view_box=f"0 0 {WIDTH:g} {HEIGHT:g}",
        left=placed(LEFT),
        right=placed(WIDTH - RIGHT),
        band=" ".join(f"{x},{y}" for x, y in (*ups, *reversed(downs))),
        line=" ".join(f"{x},{y}" for x, y in lines),
        levels=tuple(Level(level, at(0, level)[1]) for level in range(low, high + 1, apart)),
        zero=at(0, 0)[1] if low < 0 else "",
    )


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    mark: str
    """The label, where there is room for it below the bar."""
    value: float
    text: str
    """Above the bar, where there is room for it."""
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
    widest = max((len(label) for label, _, _ in bars), default=0)
    every = -int(-(LETTER * (widest + 1)) // slot)
    drawn = []
    for number, (label, value, text) in enumerate(bars):
        height = room * value / highest
        middle = slot * (number + 0.5)
        across = floor - room * expected[number] / highest if expected else None
        drawn.append(
            Bar(
                label=label,
                mark="" if number % every else label,
                value=value,
                text=text,
                x=placed(middle - width / 2),
                y=placed(floor - height),
                width=placed(width),
                height=placed(height),
                middle=placed(middle),
                above=placed(min(floor - height, across or floor) - 4),
                expected="" if across is None else placed(across),
            )
        )
    return BarChart(
        view_box=f"0 0 {WIDTH:g} {HEIGHT:g}",
        bars=tuple(drawn),
        floor=placed(floor),
        foot=placed(HEIGHT - 4),
    )


@dataclass(frozen=True, slots=True)
class Area:
    name: str
    tone: str
    points: str
    middle: str
    """Halfway up at the first step, where everybody has room for a name."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The strip of one step, to be tapped, and what stands below it."""

    step: int
    x: str
    width: str
    middle: str
    sign: str
    crowded: bool
    """A weightier sign stands too near for both to be read; a dot is left of this one."""


@dataclass(frozen=True, slots=True)
class AreaChart:
    view_box: str
    top: str
    bottom: str
    height: str
    """From top to bottom."""
    foot: str
    areas: tuple[Area, ...]
    levels: tuple[Level, ...]
    slots: tuple[Slot, ...]
    mark: str
    mark_anchor: str
    """On which side of the mark there is room for words."""
    shown: str


def area_chart(
    series: Sequence[Series],
    *,
    marked: int | None = None,
    shown: int | None = None,
    signs: Mapping[int, str] | None = None,
) -> AreaChart:
    """Shares of a whole over equally many steps, one upon the other, the first at the bottom.

    `marked` is the step to point at, `shown` the one that the page is about, `signs` what stands
    below some steps, the weightiest first.
    """
    steps = max(len(series[0].values) - 1, 1)
    width = AREA_WIDTH / steps
    floor = AREA_HEIGHT - AREA_FOOT

    def x(step: float) -> str:
        return placed(width * step)

    def y(share: float) -> str:
        return placed(floor - (floor - AREA_HEAD) * share)

    below = [0.0] * len(series[0].values)
    areas = []
    for each in series:
        above = [low + value for low, value in zip(below, each.values, strict=True)]
        there = [f"{x(step)},{y(value)}" for step, value in enumerate(above)]
        back = [f"{x(step)},{y(value)}" for step, value in reversed(list(enumerate(below)))]
        middle = y((below[0] + above[0]) / 2)
        areas.append(Area(each.name, each.tone, " ".join((*there, *back)), middle))
        below = above
    signs = signs or {}
    readable = _apart(signs, SIGN_WIDTH / width)
    return AreaChart(
        view_box=f"0 0 {AREA_WIDTH:g} {AREA_HEIGHT:g}",
        top=placed(AREA_HEAD),
        bottom=placed(floor),
        height=placed(floor - AREA_HEAD),
        foot=placed(AREA_HEIGHT - 3),
        areas=tuple(areas),
        levels=tuple(Level(percent, y(percent / 100)) for percent in (25, 50, 75)),
        slots=tuple(
            Slot(
                step,
                x(_left(step)),
                placed(width * (min(step + 0.5, steps) - _left(step))),
                x(step),
                signs.get(step, ""),
                crowded=step in signs and step not in readable,
            )
            for step in range(1, steps + 1)
        ),
        mark="" if marked is None else x(marked),
        mark_anchor="end" if (marked or 0) > steps / 2 else "start",
        shown="" if shown is None else x(shown),
    )


def _left(step: int) -> float:
    """Where a step is tapped from on; the first one from the edge on."""
    return step - 0.5 if step > 1 else 0.0


def _apart(steps: Iterable[int], distance: float) -> set[int]:
    """As many as stand so far from each other, the first ones before all."""
    kept: set[int] = set()
    for step in steps:
        if all(abs(step - other) >= distance for other in kept):
            kept.add(step)
    return kept


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


def placed(value: float) -> str:
    """A coordinate, as short as it can be written."""
    return f"{value:.1f}".removesuffix(".0")
