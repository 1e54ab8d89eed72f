"""Finished games to take along, one after the other, so that any number of them fits."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from games.models import Game, Move, Seat
from games.selectors.archive import Wanted, all_games
from games.selectors.gallery import main_count

CHUNK = 100
MOST_SEATS = 4
FORMULAS = (*"=+-@\t\r\n", *"＝＋－＠")
HEADER = (
    *("game", "ended", "title", "edition", "players", "rated", "reason", "moves"),
    *("margin", "comeback", "highest"),
    *(f"{what}_{n}" for n in range(1, MOST_SEATS + 1) for what in ("name", "place", "points")),
)


def games_to_export(wanted: Wanted, *, moves: bool) -> Iterator[Game]:
    """With their seats, and with their moves if asked for; never more than a chunk at a time."""
    for chunk in all_games(wanted, CHUNK):
        seats = Seat.objects.select_related("player", "stand_in").order_by("number")
        parts: list[Any] = [Prefetch("seats", seats)]
        if moves:
            parts.append(Prefetch("moves", Move.objects.order_by("number")))
        prefetch_related_objects(chunk, *parts)
        for game in chunk:
            yield game
            # Its seats and moves name the game: let go of them now instead of some time later.
            vars(game).pop("_prefetched_objects_cache")


def table(wanted: Wanted) -> Iterator[str]:
    """Lines of comma-separated values, with names at the top."""
    yield _line(HEADER)
    for game in games_to_export(wanted, moves=False):
        yield _line(_values(game))


def _values(game: Game) -> list[Any]:
    assert game.ended_at is not None
    assert game.result is not None
    _, points = main_count(game)
    seats = list(game.seats.all())
    players = [
        value
        for seat in seats
        for value in (
            str(seat.player),
            seat.place,
            points[seat.number] if points and seat.number is not None else "",
        )
    ]
    return [
        *(game.public_id, game.ended_at.strftime("%Y-%m-%dT%H:%M:%SZ"), game.ruleset),
        *(game.edition, game.size, "yes" if game.rated else "no", game.result["reason"]),
        *(game.move_count, game.margin, game.comeback, game.highest, *players),
        *([""] * (len(HEADER) - 11 - len(players))),
    ]


def _line(values: Any) -> str:
    text = StringIO()
    csv.writer(text).writerow([_harmless(value) for value in values])
    return text.getvalue()


def _harmless(value: Any) -> Any:
    """Spreadsheets take a name that begins like a formula for one, in some languages also if it
    begins with the wide form of such a sign."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
