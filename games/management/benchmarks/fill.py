"""Fill a throw-away database with finished games, as fast as it takes rows.

A pool of simulated games is handed out to many players; the books are kept by the same ledger
as on the site. Moves are left out: no list and no page of numbers reads them.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db import connection, models, transaction

from games.engine.chance import seating
from games.engine.games import RULESETS
from games.management.simulation import simulated_game
from games.models import (
    Game,
    Meeting,
    Move,
    Player,
    Rating,
    RatingChange,
    Rivalry,
    Seat,
    Shelf,
    Standing,
    Tally,
)
from games.selectors.course import course
from games.selectors.finished import Finished, finished
from games.services.ledger import Ledger

POOL = 6
BATCH = 10_000
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)
SPAN = timedelta(days=1000)
GAMES_A_PLAYER = 100
BUSY_SHARE = 0.4
RARE_SHARE = 0.05
"""The oldest games alone have the rarest edition: the worst case for a filter."""
PUBLIC_SHARE = 0.85
RATED_SHARE = 0.7
GAME_COLUMNS = (
    *("id", "public_id", "ruleset", "size", "edition", "rated", "visibility", "ended_at"),
    *("creator_id", "move_count", "result", "shelf_id"),
)
SEAT_COLUMNS = (
    *("id", "game_id", "player_id", "joined", "number", "turns", "place", "ended_at"),
    "tally_id",
)


def fill(games: int) -> None:
    """So many games; the first two players are in many of them."""
    # Not for secrets: the same games each time.
    rng = random.Random(games)  # noqa: S311
    players = max(games // GAMES_A_PLAYER, 80)
    write_rows(
        Player,
        Player(date_joined=BEGINNING),
        ("id", "username", "email"),
        ((n, f"player{n}", f"player{n}@souk.example") for n in range(1, players + 1)),
    )
    pool = [
        finished_game(key, size, number)
        for key in RULESETS
        for size in RULESETS[key].seat_counts
        for number in range(POOL)
    ]
    books = Books()
    for number in range(1, games + 1):
        books.enter(number, rng.choice(pool), rng, players, number / games)
        if number % 10_000 == 0:
            _say(f"{number:,} of {games:,} games played")
    with in_a_hurry():
        books.write()


@contextmanager
def in_a_hurry() -> Iterator[None]:
    """SQLite keeps more in memory and trusts our keys while so many rows come in."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA cache_size").fetchone()[0]
        cursor.execute("PRAGMA foreign_keys = OFF")
        cursor.execute("PRAGMA cache_size = -400000")
        yield
        cursor.execute(f"PRAGMA cache_size = {before}")
        cursor.execute("PRAGMA foreign_keys = ON")


def finished_game(key: str, size: int, seed: int) -> Finished:
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
        Move(number=m.n, seat=m.seat, action=m.action, at=BEGINNING + m.n * timedelta(hours=3))
        for m in record.moves
    ]
    return finished(course(game, seats, moves))


class Books:
    """The rows of all tables, as tuples where there are many of them."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.models: list[Finished] = []
        self.games: list[list[Any]] = []
        self.seats: list[tuple[Any, ...]] = []
        self.meetings: list[tuple[Any, ...]] = []
        self.changes: list[tuple[Any, ...]] = []

    def enter(
        self, number: int, model: Finished, rng: random.Random, players: int, age: float
    ) -> None:
        game = model.game
        editions = list(RULESETS[game.ruleset].presets)
        # The one row of the model stands for all its games: building rows is what takes time.
        game.pk = number
        game.edition = editions[-1] if age < RARE_SHARE else rng.choice(editions[:-1] or editions)
        game.rated = rng.random() < RATED_SHARE
        public = rng.random() < PUBLIC_SHARE
        game.visibility = Game.Visibility.PUBLIC if public else Game.Visibility.LINK
        game.ended_at = BEGINNING + age * SPAN
        table = _table(rng, players, game.size)
        for seat, player in zip(model.seats, table, strict=True):
            seat.player_id = player
        self.ledger.enter(model)
        self.models.append(model)
        kind = game.ruleset, game.size, game.edition, game.rated, game.visibility
        self.games.append(
            [
                *(number, f"g{number}", *kind, game.ended_at),
                *(table[0], model.moves, game.result, game.shelf),
            ]
        )
        self.seats += [
            (number, seat.player_id, seat.number, seat.turns, place, game.ended_at, seat.tally)
            for seat, place in zip(model.seats, model.places, strict=True)
        ]
        self.meetings += [(m.rivalry, number, m.ended_at) for m in self.ledger.meetings]
        self.changes += [
            (c.rating, number, c.at, c.before, c.mu, c.sigma) for c in self.ledger.changes
        ]
        for entered in (
            self.ledger.meetings,
            self.ledger.changes,
            self.ledger.games,
            self.ledger.seats,
        ):
            entered.clear()

    def write(self) -> None:
        ledger = self.ledger
        for model, rows in (
            (Shelf, ledger.shelves),
            (Tally, ledger.tallies),
            (Rivalry, ledger.rivalries),
            (Rating, ledger.ratings),
            (Standing, ledger.standings),
        ):
            _write_books(model, list(rows.values()))
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
            ("id", "rating_id", "game_id", "at", "before", "mu", "sigma"),
            ((n, c[0].pk, *c[1:]) for n, c in enumerate(self.changes, start=1)),
        )
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")

    def write_games(self) -> None:
        write_rows(
            Game,
            Game(seed=bytes(32), created_at=BEGINNING, status=Game.Status.OVER, pace="daily"),
            GAME_COLUMNS,
            ((*row, shelf.pk) for *row, shelf in self.games),
        )

    def write_seats(self) -> None:
        write_rows(
            Seat,
            Seat(entropy="mint", joined_at=BEGINNING),
            SEAT_COLUMNS,
            (
                (n, game, player, seat, seat, turns, place, ended_at, tally.pk)
                for n, (game, player, seat, turns, place, ended_at, tally) in enumerate(
                    self.seats, start=1
                )
            ),
        )


def _table(rng: random.Random, players: int, size: int) -> list[int]:
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
    fixed = [fields[n].get_db_prep_save(getattr(usual, n), connection) for n in rest]
    prepare = [fields[name].get_db_prep_save for name in columns]
    names = ", ".join(f'"{fields[name].column}"' for name in (*columns, *rest))
    table = f'"{model._meta.db_table}"'
    ready = (
        [
            *(prep(value, connection) for prep, value in zip(prepare, row, strict=True)),
            *fixed,
        ]
        for row in rows
    )
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for values in ready:
                    copy.write_row(values)
        else:
            marks = ", ".join(["%s"] * len(fields))
            statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608
            while batch := list(islice(ready, BATCH)):
                cursor.executemany(statement, batch)
    _say(f"{model._meta.verbose_name_plural} written")


def _say(text: str) -> None:
    sys.stderr.write(f"  {text}\n")
