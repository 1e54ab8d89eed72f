"""The Marrakech board: an observation becomes the shapes and the controls of its picture.

Rugs come in laying order, each as a whole piece, so that drawing them in turn puts
every rug over what it covers. Controls stand on squares of a grid laid over the
picture; each carries the notation of the action it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .grid import CELL, HEADINGS, Heading, Point, Square, centre, corner
from .mosaics import SIDE, mosaics, set_out, walk

Facts = Mapping[str, Any]

MARGIN = 30
"""Room around the squares for the mosaics and the coordinates."""

EXTENT = SIDE * CELL
VIEW_BOX = f"{-MARGIN} {-MARGIN} {EXTENT + 2 * MARGIN} {EXTENT + 2 * MARGIN}"
MOSAICS = "".join(mosaics())

_COLUMNS = ("west", *"abcdefg", "east")
_ROWS = ("south", *"1234567", "north")


@dataclass(frozen=True, slots=True)
class Label:
    text: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Rug:
    colour: str
    transform: str
    neutral: bool = False
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """Assam: where he stands, and the line he has just walked, if it is to be shown moving."""

    transform: str
    walked: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """A direction he may take: an arrow at its start, and his line for the highest die.

    The line is empty when he only turns and somebody else will roll.
    """

    key: str
    line: str
    arrow: str


@dataclass(frozen=True, slots=True)
class Landing:
    """A square where a roll may end: by which ways and dice, and what it would cost.

    A tap on it chooses `action`, one of the ways that lead there; the next tap, the next one.
    It has no `area` where the control of a way lies already.
    """

    square: str
    area: str
    action: str
    actions: str
    x: str
    y: str
    ways: str
    faces: str
    due: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where the rug could lie: drawn with the board, so that nobody waits to see it there."""

    action: str
    colour: str
    transform: str
    chosen: bool
    advised: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """A square that can be tapped to choose a rug; tapping again turns to the next possibility."""

    square: str
    area: str
    x: int
    y: int
    action: str
    actions: str
    """All that a tap can choose, in the order of tapping."""
    squares: tuple[str, str]
    chosen: bool
    only: bool
    """There is but one rug for this square: no second tap will turn it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A square beside Assam that can be tapped to send him that way."""

    action: str
    key: str
    area: str


@dataclass(frozen=True, slots=True)
class Board:
    view_box: str
    mosaics: str
    labels: tuple[Label, ...]
    rugs: tuple[Rug, ...]
    assam: Figure
    trail: str
    die: int | None
    paid: Label | None
    ways: tuple[Way, ...]
    landings: tuple[Landing, ...]
    turns: tuple[Turn, ...]
    spots: tuple[Spot, ...]
    places: tuple[Place, ...]
    action: str
    shown_way: str
    advised: str
    compact: bool


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

    `interactive`: the viewer is to act, so draw what can be chosen. `chosen`: an action that
    was picked but not confirmed; nothing else counts. `last`: the moves of the last turn, whose
    traces are drawn; so many of them as `moving` says play out once. `advised`: an action that
    a hint speaks of. `compact`: the small picture of a list.
    """
    news = last[len(last) - moving :]
    legal: Sequence[str] = observation["legal"] if interactive and not compact else ()
    forecast: Facts = observation.get("forecast") or {}
    square = Square.named(observation["assam"]["square"])
    facing = HEADINGS[observation["assam"]["facing"]]
    walked = _latest(last, "path")
    walking = _latest(news, "path")
    chosen = chosen if chosen in legal else ""
    ways = {
        action: _way_key(action)
        for action in sorted(legal, key=_from_left_to_right)
        if not action.startswith("lay:")
    }
    forecast = {ways[action]: odds for action, odds in forecast.items() if action in ways}
    return Board(
        view_box=VIEW_BOX,
        mosaics=MOSAICS,
        labels=() if compact else _labels(),
        rugs=_rugs(
            observation["rugs"], fresh=any(move["action"].startswith("lay:") for move in news)
        ),
        assam=Figure(standing(square, facing), trail(walking)),
        trail="" if compact else trail(walked),
        die=None if compact else walked.get("die"),
        paid=_paid(walking, square),
        ways=tuple(
            _way(key, square, facing.turned(key), forecast.get(key)) for key in ways.values()
        ),
        landings=_landings(forecast, square, {key: act for act, key in ways.items()}, chosen),
        turns=tuple(
            Turn(action, key, _area(square.towards(facing.turned(key))))
            for action, key in ways.items()
        ),
        spots=_spots(legal, chosen, square),
        places=_places(observation, legal, chosen, advised),
        action=chosen,
        shown_way=_way_key(chosen) if chosen in ways else "",
        advised=_way_key(advised) if advised in ways else "",
        compact=compact,
    )


def _labels() -> tuple[Label, ...]:
    """Coordinates in the notches between the mosaics, where no rug can hide them."""
    outside = CELL * 0.61
    lines = [CELL * (line + 0.5) for line in range(SIDE)]
    columns = [
        Label(chr(ord("a") + n), f"{at:g}", f"{EXTENT + outside:g}") for n, at in enumerate(lines)
    ]
    rows = [Label(str(SIDE - n), f"{-outside:g}", f"{at:g}") for n, at in enumerate(lines)]
    return (*columns, *rows)


def _rugs(laid: Sequence[Facts], *, fresh: bool) -> tuple[Rug, ...]:
    """The rugs of which something is to be seen, the lowest first."""
    newest = laid[-1]["id"] if fresh and laid else None
    return tuple(
        Rug(rug["colour"], lying(rug["squares"]), rug["neutral"], rug["id"] == newest)
        for rug in laid
        if rug["visible"]
    )


def lying(squares: Sequence[str]) -> str:
    """Where a rug drawn from left to right must go to lie on two squares."""
    one, other = (corner(Square.named(name), SIDE) for name in squares)
    if one.y == other.y:
        return f"translate({Point(min(one.x, other.x), one.y)})"
    return f"translate({Point(one.x + CELL, min(one.y, other.y))})rotate(90)"


def standing(square: Square, facing: Heading) -> str:
    return f"translate({centre(square, SIDE)})rotate({facing.angle})"


def _latest(moves: Sequence[Facts], fact: str) -> Facts:
    return next((move for move in reversed(moves) if move.get(fact)), {})


def trail(walked: Facts) -> str:
    """The line of a walk, found from where it ended."""
    if not walked:
        return ""
    end, facing = walked["assam"].split()
    steps = len(walked["path"])
    return walk(*set_out(Square.named(end), HEADINGS[facing], steps), steps)


def _paid(walked: Facts, square: Square) -> Label | None:
    amount = (walked.get("paid") or {}).get("amount")
    if not amount:
        return None
    at = centre(square, SIDE)
    return Label(f"−{amount}", f"{at.x:g}", f"{at.y:g}")


def _way_key(action: str) -> str:
    """L, S or R; a roll without a choice goes straight on."""
    return action[-1] if action.startswith("turn:") else "S"


def _from_left_to_right(action: str) -> int:
    """So that the controls are reached in the order in which they are seen."""
    return "LSR".find(_way_key(action))


def _way(key: str, square: Square, heading: Heading, forecast: Facts | None) -> Way:
    arrow = f"translate({centre(square, SIDE).moved(heading, CELL / 2)})rotate({heading.angle})"
    if not forecast:
        return Way(key, "", arrow)
    furthest = max(len(face["path"]) for face in forecast["faces"])
    return Way(key, walk(square, heading, furthest), arrow)


def _landings(
    forecasts: Facts, assam: Square, actions: Mapping[str, str], chosen: str
) -> tuple[Landing, ...]:
    """One marker a square: what it costs depends on the square, not on the way to it."""
    reached: dict[str, list[tuple[str, int, int]]] = {}
    for key, forecast in forecasts.items():
        for face in forecast["faces"]:
            reached.setdefault(face["square"], []).append((key, face["face"], face["due"]))
    return tuple(
        Landing(
            square=name,
            area="" if Square.named(name).touches(assam) else _area(Square.named(name)),
            action=_following([actions[key] for key, _, _ in marks], chosen),
            actions=" ".join(actions[key] for key, _, _ in marks),
            x=f"{at.x:g}",
            y=f"{at.y:g}",
            ways=" ".join(sorted({key for key, _, _ in marks})),
            faces="·".join(str(face) for face in sorted({face for _, face, _ in marks})),
            due=marks[0][2],
        )
        for name, marks in reached.items()
        for at in [_landing_point(Square.named(name), assam)]
    )


def _landing_point(square: Square, assam: Square) -> Point:
    """The middle of the square; where Assam himself stands there, the eye of the corner loop."""
    at = centre(square, SIDE)
    if square != assam:
        return at
    aside = CELL * 0.6 if square.column else -CELL * 0.6
    return Point(at.x + aside, at.y - aside)


def _spots(legal: Sequence[str], chosen: str, assam: Square) -> tuple[Spot, ...]:
    by_square: dict[str, list[str]] = {}
    for action in legal:
        if action.startswith("lay:"):
            for name in _covered(action):
                by_square.setdefault(name, []).append(action)
    return tuple(
        _spot(name, _in_tapping_order(actions, assam), chosen)
        for name, actions in sorted(by_square.items())
    )


def _spot(name: str, actions: Sequence[str], chosen: str) -> Spot:
    square = Square.named(name)
    at = corner(square, SIDE)
    action = _following(actions, chosen)
    return Spot(
        square=name,
        area=_area(square),
        x=int(at.x),
        y=int(at.y),
        action=action,
        actions=" ".join(actions),
        squares=_covered(action),
        chosen=chosen in actions,
        only=len(actions) == 1,
    )


def _following(actions: Sequence[str], chosen: str) -> str:
    """What the next tap chooses: the first of them, or the one after the chosen one."""
    following = actions.index(chosen) + 1 if chosen in actions else 0
    return actions[following % len(actions)]


def _in_tapping_order(actions: Sequence[str], assam: Square) -> list[str]:
    """The rug that lies straight away from Assam first."""

    def bends(action: str) -> bool:
        line = {assam, *(Square.named(name) for name in _covered(action))}
        return len({at.column for at in line}) > 1 and len({at.row for at in line}) > 1

    return sorted(actions, key=lambda action: (bends(action), action))


def _covered(action: str) -> tuple[str, str]:
    squares = action.removeprefix("lay:")
    return squares[:2], squares[2:]


def _places(
    observation: Facts, legal: Sequence[str], chosen: str, advised: str
) -> tuple[Place, ...]:
    lays = [action for action in legal if action.startswith("lay:")]
    if not lays:
        return ()
    colour = observation["players"][observation["pending"]["seat"]]["next"]
    return tuple(
        Place(action, colour, lying(_covered(action)), action == chosen, action == advised)
        for action in lays
    )


def _area(square: Square) -> str:
    """The CSS classes of a square, or of one beside the board, in the grid of controls."""
    return f"col-{_COLUMNS[square.column + 1]} row-{_ROWS[square.row + 1]}"
