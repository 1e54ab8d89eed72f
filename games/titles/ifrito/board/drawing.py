"""The two planes of Ifrito: an observation becomes the shapes and the controls of its picture.

A turn is chosen in taps, and what was tapped so far is a text that grows into the notation
of an action: `hand` or `Ua1` (what goes), `move:Ua1-Ub2` (where), `move:Ua1-Ub2@SE` (which
cushion). `ifrito_choice` reads it; here it becomes lit cells and a carpet where it would be.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from .choice import KEYS, Choice, Way, choose

Facts = Mapping[str, Any]

SIDE = 5
WIDTH, HEIGHT = 56, 40
"""A cell: the planes are seen at a slant, so it is wider than it is high."""

VIEW_BOX = "-17 -9 311 228"
_COLUMNS, _ROWS = "abcde", "54321"
_CUSHION_STEP_X, _CUSHION_STEP_Y = 15.5, 10.6


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of a plane, as text for a template."""

    x: str
    y: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Carpet:
    cell: str
    seat: int
    colour: str
    own: bool
    x: str
    y: str
    genies: tuple[Spot, ...]
    count: int
    bare: bool
    """Without a genie: it can neither fly nor be captured."""
    flight: str = ""
    """The line along which it has just come, on the same plane, up to where it lies."""
    arrival: str = ""
    """How else it has just come: `rises` or `sinks` from the other plane, or `enters`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, what stands there, and what a tap on it would do.

    `tap` is what the tap chooses; `sign` is how the cell is marked: `carpet` that can be
    taken, `source` that was taken, or as in `Way.kind`.
    """

    name: str
    x: str
    y: str
    genie: bool
    carpet: Carpet | None
    tap: str = ""
    sign: str = ""
    way: Way | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Plane:
    key: str
    cells: tuple[Cell, ...]
    genies: tuple[Spot, ...]
    carpets: tuple[Carpet, ...]
    ghost: Carpet | None
    berth: Spot | None
    """Where the chosen carpet would go away from."""
    traces: tuple[Spot, ...]
    trail: str
    puff: Spot | None
    hinted: tuple[Spot, ...]
    """The cells that a hint speaks of."""

    @property
    def lit(self) -> tuple[Cell, ...]:
        """The cells that are marked."""
        return tuple(cell for cell in self.cells if cell.sign)

    @property
    def told(self) -> tuple[Cell, ...]:
        """The cells of which it is said what a flight there does."""
        return tuple(cell for cell in self.cells if cell.way)


@dataclass(frozen=True, slots=True)
class Cushion:
    """A cushion of the carpet in question, drawn large, with what a tap on it chooses.

    `x` and `y` are where it lies in the picture of that carpet alone.
    """

    name: str
    seated: bool
    chosen: bool
    tap: str
    key: str
    x: str = ""
    y: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    view_box: str
    planes: tuple[Plane, Plane]
    columns: tuple[Spot, ...]
    rows: tuple[Spot, ...]
    choice: Choice
    pad: tuple[Cushion, ...]
    pad_colour: str
    compact: bool

    @property
    def action(self) -> str:
        """The action that the taps so far amount to, if they do."""
        return self.choice.action


def draw(
    observation: Facts,
    *,
    interactive: bool = False,
    chosen: str = "",
    last: Sequence[Facts] = (),
    moving: int = 0,
    advised: str = "",
    compact: bool = False,
) -> Board:
    """The picture of a position.

    `interactive`: the viewer is to act, so draw what can be chosen. `chosen`: what was tapped
    so far. `last`: the moves of the last turn, whose traces are drawn; so many of them as
    `moving` says play out once. `advised`: an action that a hint speaks of. `compact`: the small
    picture of a list.
    """
    choice = choose(observation, chosen) if interactive and not compact else Choice()
    traced = () if compact else last
    news = last[len(last) - moving :] if moving else ()
    hinted = () if compact or not interactive else _hinted(observation, advised)
    planes = tuple(_plane(key, observation, choice, traced, news, hinted) for key in "UL")
    return Board(
        view_box=VIEW_BOX,
        planes=(planes[0], planes[1]),
        columns=()
        if compact
        else tuple(Spot(f"{WIDTH * (n + 0.5):g}", "", c) for n, c in enumerate(_COLUMNS)),
        rows=()
        if compact
        else tuple(Spot("", f"{HEIGHT * (n + 0.5):g}", c) for n, c in enumerate(_ROWS)),
        choice=choice,
        pad=_pad(choice),
        pad_colour=colour_of(observation, choice.owner),
        compact=compact,
    )


def _plane(
    key: str,
    seen: Facts,
    choice: Choice,
    last: Sequence[Facts],
    news: Sequence[Facts],
    hinted: Collection[str],
) -> Plane:
    names = [f"{key}{column}{row}" for row in _ROWS for column in _COLUMNS]
    carpets = {
        carpet["cell"]: _carpet(seen, carpet, carpet["cell"], carpet["cushions"], news)
        for carpet in seen["carpets"]
        if carpet["cell"] in names
    }
    goes = choice.source if choice.way and choice.way.is_flight else ""
    lying = {name: carpet for name, carpet in carpets.items() if name != goes}
    cells = tuple(_cell(seen, name, carpets.get(name), choice) for name in names)
    genies = [name for name in names if seen["cells"][name]["genie"]]
    if choice.leaves and goes in names:
        genies.append(goes)
    ghost = _ghost(seen, choice) if choice.target in names else None
    if ghost and choice.target in genies:
        genies.remove(choice.target)
    return Plane(
        key=key,
        cells=cells,
        genies=tuple(map(middle_of, genies)),
        carpets=tuple(lying.values()),
        ghost=ghost,
        berth=corner_of(goes) if goes in names else None,
        traces=tuple(corner_of(name) for name in _traced(seen, last) if name in names),
        trail="".join(f"M{_at(a)}L{_at(b)}" for a, b in _flights(last) if a[0] == b[0] == key),
        puff=next((middle_of(b) for b in _captures(news) if b in names), None),
        hinted=tuple(corner_of(name) for name in hinted if name in names),
    )


def _cell(seen: Facts, name: str, carpet: Carpet | None, choice: Choice) -> Cell:
    spot = corner_of(name)
    cell = Cell(name, spot.x, spot.y, seen["cells"][name]["genie"], carpet)
    if name == choice.picked_from:
        return replace(cell, sign="source")
    if name == choice.source:
        return replace(cell, sign="source", chosen=True)
    way = choice.ways.get(name)
    if name in choice.sources and (way is None or way.why):
        return replace(cell, tap=name, sign="carpet" if choice.sources[name] else "")
    if way is None:
        return cell
    return replace(cell, tap=way.tap, sign=way.kind, way=way, chosen=name == choice.target)


def cell_with_carpet(seen: Facts, carpet: Facts) -> Cell:
    """A cell as it is before anything was tapped, with the carpet that lies there."""
    spot = corner_of(carpet["cell"])
    lying = _carpet(seen, carpet, carpet["cell"], carpet["cushions"], ())
    return Cell(carpet["cell"], spot.x, spot.y, genie=False, carpet=lying)


def _carpet(
    seen: Facts, carpet: Facts, cell: str, cushions: Collection[str], news: Sequence[Facts]
) -> Carpet:
    spot = corner_of(cell)
    flight, arrival = _coming(carpet["id"], cell, news)
    return Carpet(
        cell=cell,
        seat=carpet["seat"],
        colour=colour_of(seen, carpet["seat"]),
        own=carpet["seat"] == seen["viewer"],
        x=spot.x,
        y=spot.y,
        genies=tuple(cushion_spots(cushions)),
        count=len(cushions),
        bare=not cushions,
        flight=flight,
        arrival=arrival,
    )


def _ghost(seen: Facts, choice: Choice) -> Carpet | None:
    """The chosen carpet where it would be, with the genies it would have."""
    if not choice.way or not choice.way.is_flight or choice.owner is None:
        return None
    carpet = {"id": None, "seat": choice.owner}
    ghost = _carpet(seen, carpet, choice.target, choice.cushions_after, ())
    return replace(ghost, bare=ghost.bare and bool(choice.action))


def _coming(carpet: int | None, cell: str, news: Sequence[Facts]) -> tuple[str, str]:
    for move in news:
        entered, moved = move.get("entered"), move.get("moved")
        if entered and entered["carpet"] == carpet:
            return "", "enters"
        if moved and moved["carpet"] == carpet and moved["to"] == cell:
            start, end = moved["from"], moved["to"]
            if start[0] != end[0]:
                return "", "rises" if end[0] == "U" else "sinks"
            (x, y), (to_x, to_y) = _origin(start), _origin(end)
            return f"M{x - to_x:g} {y - to_y:g}L0 0", ""
    return "", ""


def _flights(last: Sequence[Facts]) -> Iterator[tuple[str, str]]:
    for move in last:
        if moved := move.get("moved"):
            yield moved["from"], moved["to"]


def _captures(news: Sequence[Facts]) -> Iterator[str]:
    for move in news:
        if move.get("captured"):
            yield move["moved"]["to"]


def _traced(seen: Facts, last: Sequence[Facts]) -> Iterator[str]:
    """The cells that the last turn was about."""
    for move in last:
        if entered := move.get("entered"):
            yield entered["cell"]
        if taken := move.get("taken"):
            robbed = (c["cell"] for c in seen["carpets"] if c["id"] == taken["carpet"])
            yield from (cell for cell in robbed if cell)
    for flight in _flights(last):
        yield from flight


def _hinted(seen: Facts, advised: str) -> list[str]:
    """From where to where; a genie that is to be picked is on the carpet it is picked from."""
    if advised.startswith("pick:"):
        return [c["cell"] for c in seen["carpets"] if c["id"] == seen["pick"]]
    return re.findall("[LU][a-e][1-5]", advised)


def _pad(choice: Choice) -> tuple[Cushion, ...]:
    if not choice.cushion_taps:
        return ()
    return tuple(
        Cushion(
            name=name,
            seated=name in choice.cushions,
            chosen=name == choice.cushion,
            tap=choice.cushion_taps.get(name, ""),
            key=key,
            x=f"{150 + 83 * (place % 3 - 1)}",
            y=f"{105 + 56 * (place // 3 - 1)}",
        )
        for place, (name, key) in enumerate(KEYS.items())
    )


def cushion_spots(cushions: Collection[str]) -> Iterator[Spot]:
    """Where the genies of a carpet sit, from the middle of its cell."""
    return (spot for spot in _all_cushions() if spot.text in cushions)


@cache
def _all_cushions() -> tuple[Spot, ...]:
    places = ((name, *divmod(place, 3)) for place, name in enumerate(KEYS))
    return tuple(
        Spot(
            f"{WIDTH / 2 + (column - 1) * _CUSHION_STEP_X:g}",
            f"{HEIGHT / 2 + (row - 1) * _CUSHION_STEP_Y:g}",
            name,
        )
        for name, row, column in places
    )


def colour_of(seen: Facts, seat: int | None) -> str:
    return "" if seat is None else str(seen["players"][seat]["colours"][0])


def _origin(name: str) -> tuple[int, int]:
    return WIDTH * _COLUMNS.index(name[1]), HEIGHT * _ROWS.index(name[2])


@cache
def corner_of(name: str) -> Spot:
    x, y = _origin(name)
    return Spot(f"{x:g}", f"{y:g}")


@cache
def middle_of(name: str) -> Spot:
    x, y = _origin(name)
    return Spot(f"{x + WIDTH / 2:g}", f"{y + HEIGHT / 2:g}")


def _at(name: str) -> str:
    spot = middle_of(name)
    return f"{spot.x} {spot.y}"
