"""Finished games as a gallery or a list shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse

from games import titles
from games.engine.games import RULESETS
from games.models import Game, Player, Seat
from games.selectors.lobby import Row
from games.selectors.position import position

RESERVED = ("reason", "ranking")


@dataclass(frozen=True, slots=True)
class Shown:
    """One player of a finished game."""

    player: Player
    colours: Sequence[str]
    place: int
    points: int | None
    number: int


@dataclass(frozen=True, slots=True)
class Exhibit:
    row: Row
    game: Game
    players: Sequence[Shown]
    """From the first place to the last."""
    counted: str
    """What the points are called."""
    picture: str
    starred: bool


def exhibits(rows: Iterable[Row]) -> list[Exhibit]:
    return [_exhibit(row) for row in rows]


def _exhibit(row: Row) -> Exhibit:
    game = row.game
    rules = RULESETS.get(game.ruleset)
    colours = rules.colours(game.size) if rules else ((),) * game.size
    name, points = main_count(game)
    return Exhibit(
        row=row,
        game=game,
        players=[_shown(seat, colours, points) for seat in row.ranked],
        counted=titles.words(game.ruleset).count(name) if name else "",
        picture=picture_address(game),
        starred=bool(row.mine and row.mine.starred_at),
    )


def _shown(seat: Seat, colours: Sequence[Sequence[str]], points: Sequence[int]) -> Shown:
    number = seat.number or 0
    return Shown(
        player=seat.player,
        colours=colours[number],
        place=seat.place or 0,
        points=points[number] if points else None,
        number=number,
    )


def main_count(game: Game) -> tuple[str, Sequence[int]]:
    """What decided a finished game, by seat: the first count of its result."""
    counts = ((name, value) for name, value in (game.result or {}).items() if name not in RESERVED)
    return next(counts, ("", ()))


def picture_address(game: Game) -> str:
    """Of the small picture of the last position; nothing where the room draws none.

    A finished game never changes, so what the picture shows depends on how it is drawn alone,
    and that is part of its address: it may be kept for ever.
    """
    drawing = drawing_of(game.ruleset)
    return reverse("small_board", args=[game.public_id, drawing]) if drawing else ""


def drawing_of(key: str) -> str:
    """The version of the drawing of small pictures: a changed drawing has a new address."""
    if not titles.brings(key, "board", "small"):
        return ""
    return str(titles.brings(key, "board", "DRAWING_VERSION") or 1)


def small_picture(game: Game) -> str | None:
    """The last position of a finished game as an SVG document."""
    small = titles.brings(game.ruleset, "board", "small")
    if small is None:
        return None
    here = position(game, list(game.seats.all()), game.moves.all())
    return str(small(here.observe(None)))
