"""Finished games in several orders, at the same cost on any page and for any filter.

A filter chooses shelves (or a player's tallies, or the rivalries of two players); there are
at most a few hundred of them however many games there are. Each lies in an index in the order
that is asked for, so a page is the first of the firsts of each: nothing is counted and nothing
is sorted but the few rows that the page could be made of. What a player starred or noted, or what
began the same way, is little, and is looked through as it is.

A game that was annulled has no result and is in no list, at once: the books may follow later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from games.models import Game, Meeting, Player, Rivalry, Seat, Shelf, Tally
from games.selectors.access import Viewer
from games.selectors.finished import CAME_BACK, CLOSE, WITH_BOTS
from games.selectors.lobby import Row, attach_seats, row_of

PAGE = 20
AT_ONCE = 400
"""SQLite joins no more than 500 parts in a query."""
OF_TWO = 500
"""Among so many of their last games the games of two players are put in another order."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Order:
    column: str
    descending: bool = True

    def of(self, row: Any) -> Any:
        return getattr(row, self.column)


NEWEST = Order("ended_at")
ORDERS = {
    "newest": NEWEST,
    "closest": Order("margin", descending=False),
    "comeback": Order("comeback"),
    "highest": Order("highest"),
    "longest": Order("move_count"),
}


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between two games of the list: next to this one, behind it or (newer) before it."""

    at: datetime | int
    game_id: int
    newer: bool = False

    def __str__(self) -> str:
        at = self.at
        stamp = at if isinstance(at, int) else (at - EPOCH) // timedelta(microseconds=1)
        return f"{'n' if self.newer else 'o'}{stamp}-{self.game_id}"

    @classmethod
    def parse(cls, text: str, order: Order = NEWEST) -> Cursor | None:
        """None for anything that is not a cursor."""
        stamp, _, number = text[1:].partition("-")
        digits = stamp.isascii() and stamp.isdigit() and number.isascii() and number.isdigit()
        if text[:1] not in ("o", "n") or not digits or len(stamp) > 17 or len(number) > 18:
            return None
        if order is not NEWEST:
            return cls(int(stamp), int(number), newer=text[0] == "n") if len(stamp) < 10 else None
        at = EPOCH + timedelta(microseconds=int(stamp))
        return cls(at, int(number), newer=text[0] == "n")


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
    close: bool = False
    comeback: bool = False
    bots: bool | None = None
    seat: int | None = None
    place: int | None = None
    """Both of the player's own."""
    starred: bool = False
    notes: str = ""
    opening: str = ""
    """The path that the player's games began with; see `Game.opening`."""
    order: Order = NEWEST

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

    @property
    def own(self) -> dict[str, int]:
        """The columns of the player's own seat that are fixed."""
        given = {"number": self.seat, "place": self.place}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def traits(self) -> tuple[int, ...]:
        """Those that fit, or none where all do."""
        found = tuple(traits for traits in range(8) if self.fits(traits))
        return found if len(found) < 8 else ()

    def fits(self, traits: int) -> bool:
        return (
            (not self.close or bool(traits & CLOSE))
            and (not self.comeback or bool(traits & CAME_BACK))
            and (self.bots is None or self.bots == bool(traits & WITH_BOTS))
        )


@dataclass(frozen=True, slots=True)
class Page:
    rows: Sequence[Row]
    older: Cursor | None
    newer: Cursor | None


def archive(wanted: Wanted, viewer: Viewer, cursor: Cursor | None = None) -> Page:
    """A page of finished games."""
    found = _first(wanted, cursor, PAGE + 1)
    more = len(found) > PAGE
    ordered = _games(found[:PAGE])
    backwards = cursor is not None and cursor.newer
    if backwards:
        ordered.reverse()
    finished = [game for game in ordered if game.status == Game.Status.OVER]
    rows = [row_of(game, wanted.player or viewer) for game in attach_seats(finished)]
    if not ordered:
        return Page([], None, None)
    older = backwards or more
    newer = more if backwards else cursor is not None
    beside = wanted.order.of
    return Page(
        rows,
        older=Cursor(beside(ordered[-1]), ordered[-1].pk) if older else None,
        newer=Cursor(beside(ordered[0]), ordered[0].pk, newer=True) if newer else None,
    )


def all_games(wanted: Wanted, chunk: int) -> Iterator[list[Game]]:
    """Every game there is of what is wanted, in its order; never more than a chunk at a time."""
    cursor = None
    while True:
        ordered = _games(_first(wanted, cursor, chunk))
        if finished := [game for game in ordered if game.status == Game.Status.OVER]:
            yield finished
        if len(ordered) < chunk:
            return
        cursor = Cursor(wanted.order.of(ordered[-1]), ordered[-1].pk)


def _games(numbers: Sequence[int]) -> list[Game]:
    games = Game.objects.in_bulk(numbers)
    return [games[number] for number in numbers]


def _first(wanted: Wanted, cursor: Cursor | None, limit: int) -> list[int]:
    """The first games behind (or before) the cursor."""
    plain = wanted.order is NEWEST and not wanted.traits
    if wanted.player and (wanted.starred or wanted.notes or wanted.opening):
        return [number for number, _ in _between(_kept(wanted), wanted, cursor, limit)]
    if wanted.player and wanted.opponent:
        return _of_two(wanted, cursor, limit)
    if wanted.player and not wanted.shelf and plain:
        seats = Seat.objects.filter(player=wanted.player, ended_at__isnull=False)
        return [number for number, _ in _between(seats, wanted, cursor, limit)]
    if wanted.player:
        tallies = _on_shelves(Tally.objects.filter(player=wanted.player), wanted)
        return _merged(Seat, "tally_id", tallies, wanted, cursor, limit)
    if wanted.shelf == {"public": True} and plain:
        games = Game.objects.filter(status=Game.Status.OVER, visibility=Game.Visibility.PUBLIC)
        return [number for number, _ in _between(games, wanted, cursor, limit)]
    shelves = Shelf.objects.filter(**wanted.shelf).values_list("pk", flat=True)
    return _merged(Game, "shelf_id", list(shelves), wanted, cursor, limit)


def _kept(wanted: Wanted) -> QuerySet[Seat]:
    seats = Seat.objects.filter(player=wanted.player, ended_at__isnull=False)
    seats = seats.filter(**{f"tally__shelf__{name}": value for name, value in wanted.shelf.items()})
    if wanted.starred:
        seats = seats.filter(starred_at__isnull=False)
    if wanted.notes:
        seats = seats.exclude(notes="").filter(notes__icontains=wanted.notes)
    if wanted.opening:
        seats = seats.filter(began_with(wanted.opening))
    if wanted.traits:
        seats = seats.filter(traits__in=wanted.traits)
    if wanted.opponent:
        seats = seats.filter(game__in=Seat.objects.filter(player=wanted.opponent).values("game"))
    return seats


def began_with(path: str) -> Q:
    """Games that came through this place of the tree of openings."""
    # "0" comes right after "/". The range around both is what the index is asked for; with one
    # of two alone it would not be asked at all.
    both = Q(opening__gte=path, opening__lt=f"{path}0")
    return both & (Q(opening=path) | Q(opening__gte=f"{path}/"))


def _of_two(wanted: Wanted, cursor: Cursor | None, limit: int) -> list[int]:
    assert wanted.player
    assert wanted.opponent
    low, high = sorted((wanted.player, wanted.opponent), key=lambda player: player.pk)
    rivalries = _on_shelves(Rivalry.objects.filter(low=low, high=high), wanted)
    if wanted.order is NEWEST and not wanted.traits and not wanted.own:
        return _merged(Meeting, "rivalry_id", rivalries, wanted, cursor, limit)
    by_time = replace(wanted, order=NEWEST, close=False, comeback=False, bots=None)
    latest = _merged(Meeting, "rivalry_id", rivalries, by_time, None, OF_TWO)
    games = Game.objects.filter(pk__in=latest)
    if wanted.traits:
        games = games.filter(traits__in=wanted.traits)
    if wanted.own:
        own = Seat.objects.filter(player=wanted.player, **wanted.own)
        games = games.filter(pk__in=own.values("game"))
    return [number for number, _ in _between(games, wanted, cursor, limit)]


def _on_shelves(books: QuerySet[Any], wanted: Wanted) -> list[int]:
    fixed = {f"shelf__{name}": value for name, value in wanted.shelf.items()}
    return list(books.filter(**fixed).values_list("pk", flat=True))


def _between(
    rows: QuerySet[Any], wanted: Wanted, cursor: Cursor | None, limit: int
) -> QuerySet[Any]:
    """So many rows in order; written so that each bound is one of the index."""
    game = "id" if rows.model is Game else "game_id"
    column, descending = wanted.order.column, wanted.order.descending
    if wanted.order is not NEWEST:
        rows = rows.filter(**{f"{column}__isnull": False})
    if rows.model is Seat:
        rows = rows.filter(**wanted.own)
    when = "ended_at"
    if wanted.order is not NEWEST and (wanted.since or wanted.until):
        # In the index of this order there is no time; let nobody use that of time instead, and
        # sort all games of a year.
        rows, when = rows.alias(when=Coalesce("ended_at", "ended_at")), "when"
    if wanted.since:
        rows = rows.filter(**{f"{when}__gte": _midnight(wanted.since)})
    if wanted.until:
        rows = rows.filter(**{f"{when}__lt": _midnight(wanted.until + timedelta(days=1))})
    backwards = cursor is not None and cursor.newer
    if cursor:
        bound = "lte" if descending != backwards else "gte"
        beyond = "lte" if backwards else "gte"
        rows = rows.filter(**{f"{column}__{bound}": cursor.at})
        rows = rows.exclude(**{column: cursor.at, f"{game}__{beyond}": cursor.game_id})
    way = "-" if descending != backwards else ""
    rows = rows.order_by(f"{way}{column}", game if backwards else f"-{game}")
    return rows.values_list(game, column)[:limit]


def _merged(
    model: type[Game] | type[Seat] | type[Meeting],
    column: str,
    keys: Sequence[int],
    wanted: Wanted,
    cursor: Cursor | None,
    limit: int,
) -> list[int]:
    """The first of the firsts of each key, and of each set of traits where those matter.

    The ORM cannot say this on SQLite, and would compile the same words for each key: so it
    compiles them for the first one, and the others differ in a parameter or two.
    """
    traits = wanted.traits
    parts: list[tuple[int, ...]] = list(product(keys, traits) if traits else ((k,) for k in keys))
    if not parts:
        return []
    fixed = dict(zip((column, "traits"), parts[0], strict=False))
    one = _between(model._default_manager.filter(**fixed), wanted, cursor, limit)
    sql, parameters = one.query.sql_with_params()
    bounds = parameters[len(fixed) :]
    game = "id" if model is Game else "game_id"
    backwards = cursor is not None and cursor.newer
    way = "DESC" if wanted.order.descending != backwards else "ASC"
    number_way = "ASC" if backwards else "DESC"
    found: list[tuple[int, Any]] = []
    for start in range(0, len(parts), AT_ONCE):
        some = parts[start : start + AT_ONCE]
        joined = " UNION ALL ".join([f"SELECT * FROM ({sql}) AS part"] * len(some))  # noqa: S608
        with connection.cursor() as results:
            results.execute(
                f"SELECT * FROM ({joined}) AS parts "  # noqa: S608
                f"ORDER BY {wanted.order.column} {way}, {game} {number_way} LIMIT {limit}",
                [value for part in some for value in (*part, *bounds)],
            )
            found += results.fetchall()
    if len(parts) > AT_ONCE:
        found.sort(key=lambda row: row[0], reverse=not backwards)
        found.sort(key=lambda row: row[1], reverse=way == "DESC")
    return [number for number, _ in found[:limit]]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
