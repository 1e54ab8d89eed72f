"""Fill a throw-away database with finished games, as fast as it takes rows.

A stock of simulated games is handed out to many players; the books are kept by the same ledger
as on the site. Moves are left out where they are not asked for: no list and no page of numbers
reads them.
"""

from __future__ import annotations

import random
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction

from games.engine.chance import seating
from games.engine.games import RULESETS
from games.models import (
    Game,
    Meeting,
    Move,
    Opening,
    Opponent,
    Player,
    Rating,
    RatingChange,
    Rivalry,
    Seat,
    Sheet,
    Shelf,
    Standing,
    Tally,
)
from games.selectors.course import Course, course
from games.selectors.finished import Finished, finished
from games.services.ledger import Ledger
from tools.random_games import simulated_game

POOL = 30
"""How many games of each title and size there are to hand out."""
BATCH = 10_000
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)
SPAN = timedelta(days=1000)
TIME_PER_MOVE = timedelta(hours=3)
GAMES_A_PLAYER = 100
BUSY_SHARE = 0.4
RARE_SHARE = 0.05
"""The oldest games alone have the rarest edition: the worst case for a filter."""
NOTE = "Saffron: never pay twice in the same corner."
PUBLIC_SHARE = 0.85
RATED_SHARE = 0.7
GAME_COLUMNS = (
    *("id", "public_id", "ruleset", "size", "edition", "rated", "visibility", "ended_at"),
    *("creator_id", "move_count", "result", "options", "seed", "commitment", "started_at"),
    *("margin", "comeback", "highest", "traits", "band", "opening", "uncounted", "shelf_id"),
)
SEAT_COLUMNS = (
    *("id", "game_id", "player_id", "joined", "entropy", "number", "turns", "place", "ended_at"),
    *("margin", "comeback", "highest", "move_count", "traits", "opening", "tally_id"),
)
MOVE_COLUMNS = ("id", "game_id", "number", "seat", "action", "facts", "at")


WRITTEN: tuple[type[models.Model], ...] = (
    *(Player, Shelf, Tally, Rivalry, Opponent, Rating, Standing, Opening, Sheet, Game, Seat),
    *(Meeting, RatingChange, Move),
)


class SimulatedGame(NamedTuple):
    """A game that stands for many."""

    result: Finished
    course: Course


def fill_database(games: int, *, moves: int = 0, noted: int = 0, counted: bool = True) -> None:
    """So many games, the last of them with their moves; the first two players are in many of
    them, and the first one noted and starred so many. What is not counted is in no book, which
    takes a tenth of the time."""
    # Not for secrets: the same games each time.
    rng = random.Random(games)
    players = max(games // GAMES_A_PLAYER, 80)
    write_players(players)
    pool = simulate_games(POOL)
    books = BulkWriter([Player(pk=number) for number in range(players + 1)])
    for number in range(1, games + 1):
        model = rng.choice(pool)
        books.enter(number, model.result, rng, number / games, counted=counted)
        if number > games - moves:
            books.add_moves(number, model.course)
        if number % 10_000 == 0:
            _say(f"{number:,} of {games:,} games played")
    with fast_writes():
        books.write()
    analyse_tables()
    latest = Seat.objects.filter(player=1).order_by("-ended_at").values_list("pk", flat=True)
    Seat.objects.filter(pk__in=list(latest[:noted])).update(notes=NOTE, starred_at=BEGINNING)


def copy(path: Path) -> None:
    """The same games from an SQLite database that was filled already."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source, fast_writes():
        for model in WRITTEN:
            names = [field.column for field in model._meta.concrete_fields]
            columns = ", ".join(f'"{name}"' for name in names)
            table = model._meta.db_table
            rows = source.execute(f'SELECT {columns} FROM "{table}"')
            _copy_in(table, columns, rows)
            _say(f"{model._meta.verbose_name_plural} copied")
    analyse_tables()


@contextmanager
def fast_writes() -> Iterator[None]:
    """Keys are trusted while so many rows come in, and SQLite keeps more in memory."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
            # A page must not take so long; a million rows may.
            before = cursor.execute("SHOW statement_timeout").fetchone()[0]
            cursor.execute("SET statement_timeout = 0")
            yield
            cursor.execute("SELECT set_config('statement_timeout', %s, false)", [before])
            cursor.execute("SET session_replication_role = DEFAULT")
            return
        before = cursor.execute("PRAGMA cache_size").fetchone()[0]
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("PRAGMA cache_size = -400000")
        yield
        cursor.execute(f"PRAGMA cache_size = {before}")
        cursor.execute("PRAGMA foreign_keys = ON")


def simulate_games(each: int) -> list[SimulatedGame]:
    """So many games of every title and size."""
    return [
        finished_game(key, size, number)
        for key, rules in RULESETS.items()
        for size in rules.seat_counts
        for number in range(each)
    ]


def finished_game(key: str, size: int, seed: int) -> SimulatedGame:
    """One simulated game, replayed; nobody in particular sits there."""
    rules = RULESETS[key]
    record = simulated_game(rules, seats=size, options=rules.options({}), seed=str(seed))
    secret = record.fairness.seed
    assert secret
    numbers = seating(secret, record.fairness.entropy)
    game = Game(
        ruleset=key,
        size=size,
        options=record.rules,
        seed=secret,
        commitment=record.fairness.commitment,
        started_at=BEGINNING,
        result=dict(record.result or {}),
    )
    seats = [
        Seat(joined=joined, entropy=word, number=numbers.index(joined), turns=len(record.moves))
        for joined, word in enumerate(record.fairness.entropy)
    ]
    moves = [
        Move(number=m.n, seat=m.seat, action=m.action, at=BEGINNING + m.n * TIME_PER_MOVE)
        for m in record.moves
    ]
    replayed = course(game, seats, moves)
    return SimulatedGame(finished(replayed), replayed)


class BulkWriter:
    """The rows of all tables, as tuples where there are many of them."""

    def __init__(self, players: Sequence[Player], address: str = "g") -> None:
        """`players` by their number; the first one stands for nobody. Addresses of games begin
        like this."""
        self.players, self.address = players, address
        self.ledger = Ledger()
        self.games: list[list[Any]] = []
        self.seats: list[tuple[Any, ...]] = []
        self.meetings: list[tuple[Any, ...]] = []
        self.changes: list[tuple[Any, ...]] = []
        self.moves: list[tuple[Any, ...]] = []

    def enter(
        self, number: int, model: Finished, rng: random.Random, age: float, *, counted: bool
    ) -> None:
        game = model.game
        editions = list(RULESETS[game.ruleset].presets)
        # The one row of the model stands for all its games: building rows is what takes time.
        game.pk, game.public_id = number, f"{self.address}{number}"
        game.edition = editions[-1] if age < RARE_SHARE else rng.choice(editions[:-1] or editions)
        game.rated = rng.random() < RATED_SHARE
        public = rng.random() < PUBLIC_SHARE
        game.visibility = Game.Visibility.PUBLIC if public else Game.Visibility.LINK
        game.ended_at = BEGINNING + age * SPAN
        table = _draw_players(rng, len(self.players) - 1, game.size)
        for seat, player in zip(model.seats, table, strict=True):
            seat.player = self.players[player]
        if counted:
            self.ledger.enter(_at_its_time(model))
        kind = game.ruleset, game.size, game.edition, game.rated, game.visibility
        self.games.append(
            [
                *(number, game.public_id, *kind, game.ended_at),
                *(table[0], model.moves, game.result, game.options),
                *(game.seed, game.commitment, _started(model)),
                *(game.margin, game.comeback, game.highest, game.traits, game.band),
                *(game.opening, game.uncounted, game.shelf),
            ]
        )
        self.seats += [
            (
                *(number, seat.player_id, seat.joined, seat.entropy, seat.number, seat.turns),
                *(place, game.ended_at, game.margin, game.comeback, game.highest, model.moves),
                *(game.traits, game.opening, seat.tally),
            )
            for seat, place in zip(model.seats, model.places, strict=True)
        ]
        self.meetings += [(m.rivalry, number, m.ended_at) for m in self.ledger.meetings]
        self.changes += [
            (c.rating, number, c.at, c.before, c.mu, c.sigma, c.share) for c in self.ledger.changes
        ]
        for entered in (
            self.ledger.meetings,
            self.ledger.changes,
            self.ledger.games,
            self.ledger.seats,
        ):
            entered.clear()

    def add_moves(self, number: int, played: Course) -> None:
        """Of the game that was entered last."""
        ended = played.game.ended_at
        assert ended
        self.moves += move_rows(number, played, len(played.moves), ended)

    def write(self) -> None:
        ledger = self.ledger
        for model, rows in (
            (Shelf, ledger.shelves),
            (Tally, ledger.tallies),
            (Rivalry, ledger.rivalries),
            (Opponent, ledger.opponents),
            (Rating, ledger.ratings),
            (Standing, ledger.standings),
        ):
            _write_books(model, list(rows.values()))
        places = [place for tree in ledger.trees.values() for place in tree.places.values()]
        _write_books(Opening, places)
        names = [field.attname for field in Sheet._meta.concrete_fields]
        written = ledger.sheets.values()
        write_rows(
            Sheet, Sheet(), names, ([getattr(row, name) for name in names] for row in written)
        )
        self.write_games()
        self.write_seats()
        write_rows(
            Meeting,
            Meeting(),
            ("id", "rivalry_id", "game_id", "ended_at"),
            ((n, m[0].pk, *m[1:]) for n, m in enumerate(self.meetings, start=1)),
        )
        write_rows(
            RatingChange,
            RatingChange(),
            ("id", "rating_id", "game_id", "at", "before", "mu", "sigma", "share"),
            ((n, c[0].pk, *c[1:]) for n, c in enumerate(self.changes, start=1)),
        )
        write_rows(
            Move, Move(), MOVE_COLUMNS, ((n, *move) for n, move in enumerate(self.moves, start=1))
        )

    def write_games(self) -> None:
        write_rows(
            Game,
            Game(created_at=BEGINNING, status=Game.Status.OVER, pace="daily"),
            GAME_COLUMNS,
            ((*row, shelf and shelf.pk) for *row, shelf in self.games),
        )

    def write_seats(self) -> None:
        write_rows(
            Seat,
            Seat(joined_at=BEGINNING),
            SEAT_COLUMNS,
            (
                (number, *row, tally and tally.pk)
                for number, (*row, tally) in enumerate(self.seats, start=1)
            ),
        )


def _started(model: Finished) -> datetime:
    assert model.game.ended_at
    return model.game.ended_at - model.moves * TIME_PER_MOVE


def _at_its_time(model: Finished) -> Finished:
    """With its moves as long ago as the game: calendars count them by day."""
    later = _started(model) - BEGINNING
    moments = [[at + later for at in own] for own in model.went.moments]
    return replace(model, went=replace(model.went, moments=moments))


def write_players(count: int) -> None:
    write_rows(
        Player,
        Player(date_joined=BEGINNING, password="!"),
        ("id", "username", "email"),
        ((n, f"player{n}", f"player{n}@souk.example") for n in range(1, count + 1)),
    )


def move_rows(
    game: int, played: Course, count: int, last_at: datetime
) -> Iterator[tuple[int, int, int, str, Any, datetime]]:
    """The first moves of a game, the last of them made at this moment."""
    for move, step in islice(zip(played.moves, played.played, strict=True), count):
        at = last_at - (count - move.number) * TIME_PER_MOVE
        yield game, move.number, move.seat, move.action, step.facts, at


def _draw_players(rng: random.Random, players: int, size: int) -> list[int]:
    busy = [player for player in (1, 2) if rng.random() < BUSY_SHARE]
    others = rng.sample(range(3, players + 1), size - len(busy))
    table = [*busy, *others]
    rng.shuffle(table)
    return table


def _write_books(model: type[models.Model], rows: Sequence[Any]) -> None:
    names = [field.attname for field in model._meta.concrete_fields]
    for number, row in enumerate(rows, start=1):
        row.pk = number
        if "shelf_id" in names:
            row.shelf_id = row.shelf.pk
    write_rows(model, model(), names, ([getattr(row, name) for name in names] for row in rows))


def write_rows(
    model: type[models.Model],
    usual: models.Model,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
) -> None:
    """Rows that differ from the usual one in these columns: by COPY where there is that."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    rest = [name for name in fields if name not in columns]
    # Itself, because the one that stands for it looks it up each time: millions of times here.
    database = connections[DEFAULT_DB_ALIAS]
    fixed = [fields[n].get_db_prep_save(getattr(usual, n), database) for n in rest]
    prepare = [None if _is_plain(fields[name]) else fields[name] for name in columns]
    names = ", ".join(f'"{fields[name].column}"' for name in (*columns, *rest))
    table = f'"{model._meta.db_table}"'
    ready = (
        [
            *(
                field.get_db_prep_save(value, database) if field else value
                for field, value in zip(prepare, row, strict=True)
            ),
            *fixed,
        ]
        for row in rows
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _copy_in(model._meta.db_table, names, ready)
        else:
            marks = ", ".join(["%s"] * len(fields))
            statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            while batch := list(islice(ready, BATCH)):
                cursor.executemany(statement, batch)
    _say(f"{model._meta.verbose_name_plural} written")


def _is_plain(field: models.Field[Any, Any]) -> bool:
    """Numbers and words are for the database what they are here."""
    return isinstance(field, (models.IntegerField, models.CharField, models.ForeignKey))


def _copy_in(table: str, columns: str, rows: Iterable[Sequence[Any]]) -> None:
    statement = f'COPY "{table}" ({columns}) FROM STDIN'
    with connection.cursor() as cursor, cursor.copy(statement) as copying:
        for row in rows:
            copying.write_row(row)


def analyse_tables() -> None:
    """PostgreSQL plans by what it knows of the rows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def _say(text: str) -> None:
    sys.stderr.write(f"  {text}\n")
