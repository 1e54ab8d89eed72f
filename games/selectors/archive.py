"""Finished games, newest first, at the same cost on any page and for any filter.

A filter chooses shelves (or a player's tallies, or the rivalries of two players); there are
at most a few hundred of them however many games there are. Each lies in an index in order of
time, so a page is the newest of the newest of each: nothing is counted and nothing is sorted
but the few rows that the page could be made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.models import Game, Meeting, Player, Rivalry, Seat, Shelf, Tally
from games.selectors.access import Viewer
from games.selectors.lobby import Row, attach_seats, row_of

PAGE = 20


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between two games of the list: next to this one, on the older or newer side."""

    ended_at: datetime
    game_id: int
    newer: bool = False

    def __str__(self) -> str:
        stamp = int(self.ended_at.timestamp()) * 10**6 + self.ended_at.microsecond
        return f"{'n' if self.newer else 'o'}{stamp}-{self.game_id}"

    @classmethod
    def parse(cls, text: str) -> Cursor | None:
        """None for anything that is not a cursor."""
        stamp, _, number = text[1:].partition("-")
        digits = stamp.isascii() and stamp.isdigit() and number.isascii() and number.isdigit()
        if text[:1] not in ("o", "n") or not digits or len(stamp) > 17 or len(number) > 18:
            return None
        ended_at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(stamp))
        return cls(ended_at, int(number), newer=text[0] == "n")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the archive is narrowed down to; None is everything."""

    player: Player | None = None
    opponent: Player | None = None
    ruleset: str | None = None
    size: int | None = None
    edition: str | None = None
    rated: bool | None = None
    reason: str | None = None
    since: date | None = None
    until: date | None = None
    private_too: bool = False

    @property
    def shelf(self) -> dict[str, object]:
        """The columns of a shelf that are fixed."""
        given = {
            "ruleset": self.ruleset,
            "size": self.size,
            "edition": self.edition,
            "rated": self.rated,
            "reason": self.reason,
            "public": None if self.private_too else True,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Page:
    rows: Sequence[Row]
    older: Cursor | None
    newer: Cursor | None


def archive(wanted: Wanted, viewer: Viewer, cursor: Cursor | None = None) -> Page:
    """A page of finished games."""
    found = _newest(wanted, cursor)
    more = len(found) > PAGE
    found = found[:PAGE]
    games = Game.objects.in_bulk(found)
    ordered = [games[game_id] for game_id in found]
    backwards = cursor is not None and cursor.newer
    if backwards:
        ordered.reverse()
    rows = [row_of(game, wanted.player or viewer) for game in attach_seats(ordered)]
    if not ordered:
        return Page([], None, None)
    older = backwards or more
    newer = more if backwards else cursor is not None
    return Page(
        rows,
        older=_beside(ordered[-1], newer=False) if older else None,
        newer=_beside(ordered[0], newer=True) if newer else None,
    )


def _beside(game: Game, *, newer: bool) -> Cursor:
    assert game.ended_at is not None
    return Cursor(game.ended_at, game.pk, newer)


def _newest(wanted: Wanted, cursor: Cursor | None) -> list[int]:
    """The games on the page, and one more."""
    if wanted.player and wanted.opponent:
        low, high = sorted((wanted.player, wanted.opponent), key=lambda player: player.pk)
        rivalries = Rivalry.objects.filter(low=low, high=high)
        return _merged(Meeting, "rivalry_id", _on_shelves(rivalries, wanted), wanted, cursor)
    if wanted.player and not wanted.shelf:
        seats = Seat.objects.filter(player=wanted.player, ended_at__isnull=False)
        return [game_id for game_id, _ in _between(seats, wanted, cursor)]
    if wanted.player:
        tallies = Tally.objects.filter(player=wanted.player)
        return _merged(Seat, "tally_id", _on_shelves(tallies, wanted), wanted, cursor)
    if wanted.shelf == {"public": True}:
        games = Game.objects.filter(status=Game.Status.OVER, visibility=Game.Visibility.PUBLIC)
        return [game_id for game_id, _ in _between(games, wanted, cursor)]
    shelves = Shelf.objects.filter(**wanted.shelf).values_list("pk", flat=True)
    return _merged(Game, "shelf_id", list(shelves), wanted, cursor)


def _on_shelves(books: QuerySet[Any], wanted: Wanted) -> list[int]:
    fixed = {f"shelf__{name}": value for name, value in wanted.shelf.items()}
    return list(books.filter(**fixed).values_list("pk", flat=True))


def _between(rows: QuerySet[Any], wanted: Wanted, cursor: Cursor | None) -> QuerySet[Any]:
    """One page of rows in order of time; written so that each bound is one of the index."""
    game = "id" if rows.model is Game else "game_id"
    if wanted.since:
        rows = rows.filter(ended_at__gte=_midnight(wanted.since))
    if wanted.until:
        rows = rows.filter(ended_at__lt=_midnight(wanted.until + timedelta(days=1)))
    if cursor and cursor.newer:
        rows = rows.filter(ended_at__gte=cursor.ended_at)
        rows = rows.exclude(ended_at=cursor.ended_at, **{f"{game}__lte": cursor.game_id})
        rows = rows.order_by("ended_at", game)
    elif cursor:
        rows = rows.filter(ended_at__lte=cursor.ended_at)
        rows = rows.exclude(ended_at=cursor.ended_at, **{f"{game}__gte": cursor.game_id})
        rows = rows.order_by("-ended_at", f"-{game}")
    else:
        rows = rows.order_by("-ended_at", f"-{game}")
    return rows.values_list(game, "ended_at")[: PAGE + 1]


def _merged(
    model: type[Game] | type[Seat] | type[Meeting],
    column: str,
    keys: Sequence[int],
    wanted: Wanted,
    cursor: Cursor | None,
) -> list[int]:
    """The newest of the newest of each key, in one query.

    The ORM cannot say this on SQLite, and would compile the same words for each key: so it
    compiles them for the first one, and the others differ in one parameter.
    """
    if not keys:
        return []
    one = _between(model._default_manager.filter(**{column: keys[0]}), wanted, cursor)
    sql, (_, *bounds) = one.query.sql_with_params()
    parts = " UNION ALL ".join([f"SELECT * FROM ({sql}) AS part"] * len(keys))  # noqa: S608
    way = "ASC" if cursor and cursor.newer else "DESC"
    game = "id" if model is Game else "game_id"
    with connection.cursor() as results:
        results.execute(
            f"SELECT {game} FROM ({parts}) AS parts "  # noqa: S608
            f"ORDER BY ended_at {way}, {game} {way} LIMIT {PAGE + 1}",
            [value for key in keys for value in (key, *bounds)],
        )
        return [game_id for (game_id,) in results.fetchall()]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
