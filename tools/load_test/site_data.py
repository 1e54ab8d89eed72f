"""A town: players, finished games and running ones, all with their moves, so that any of them
can be looked at, verified and played on.

Some hundred games of each kind are simulated; all others are copies of them with other players.
What a copy draws follows from the seed that it was copied with, so it is known which moves are
legal next. One quarter of the town is settled so, and the database copies that one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.db.models import F, Prefetch, QuerySet

from games.engine.interface import Decide
from games.models import Game, Move, Notice, Player, Seat
from games.selectors.table import current_stamp
from games.services.notices.queue import WHAT_IS_LEFT
from games.services.play import sight
from tools.bulk_data import (
    BEGINNING,
    MOVE_COLUMNS,
    TIME_PER_MOVE,
    BulkWriter,
    SimulatedGame,
    analyse_tables,
    fast_writes,
    move_rows,
    simulate_games,
    write_players,
    write_rows,
)
from tools.load_test import data_copies
from tools.sessions import session_key

State = Notice.State

COPIED_FROM = 100
"""How many games of each title and size are simulated, at most."""

PLAYERS_PER_COPY = 250
"""Players who play with each other."""

CLOCK = 3 * timedelta(days=1)
AT_ONCE = 500
"""Rows that one statement names."""
DRIVEN = 400
"""How many of the running games are played on, and looked at."""

RUNNING_COLUMNS = (
    *("id", "public_id", "ruleset", "size", "options", "seed", "commitment", "creator_id"),
    *("started_at", "acted_at", "deadline", "move_count", "to_act_id", "to_act_kind", "sight"),
)
NOTICE_COLUMNS = (
    *("id", "player_id", "game_id", "move_number", "kind", "state"),
    *("created_at", "due_at", "sent_at"),
)
PLAYING_COLUMNS = (
    *("id", "game_id", "player_id", "joined", "number", "entropy"),
    *("bank", "turn_bank", "clock_since"),
)


@dataclass(frozen=True)
class DataSize:
    players: int
    running: int
    finished: int

    def __str__(self) -> str:
        return f"{self.players:,} players, {self.running:,} running, {self.finished:,} finished"

    @property
    def games(self) -> int:
        return self.running + self.finished

    @property
    def quarters(self) -> int:
        return max(self.players // PLAYERS_PER_COPY, 1)

    @property
    def quarter(self) -> DataSize:
        return DataSize(*(-(-n // self.quarters) for n in astuple(self)))

    @property
    def whole(self) -> DataSize:
        """The least of this size that has whole quarters."""
        return DataSize(*(n * self.quarters for n in astuple(self.quarter)))

    def tenth(self, least: DataSize) -> DataSize:
        return DataSize(
            *(max(n // 10, m) for n, m in zip(astuple(self), astuple(least), strict=True))
        )


def write_site(size: DataSize, now: datetime) -> None:
    """Fill an empty database with a town of whole quarters."""
    # Games name the seat that is to act, seats their game; the keys are ours.
    with fast_writes():
        _settle_a_quarter(size, now)
        data_copies.copy_first_part(size.quarters)
        written = list(apps.get_app_config("games").get_models())
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), written):
                cursor.execute(statement)
    analyse_tables()


@cache
def _stock(games: int) -> list[SimulatedGame]:
    """What so many are copied from."""
    return simulate_games(min(COPIED_FROM, games // 10 + 1))


def _settle_a_quarter(town: DataSize, now: datetime) -> None:
    size = town.quarter
    # Not for secrets: the same town each time.
    rng = random.Random(sum(astuple(size)))
    write_players(size.players)
    write_rows(
        EmailAddress,
        EmailAddress(verified=True, primary=True),
        ("id", "user_id", "email"),
        ((n, n, f"player{n}@souk.example") for n in range(1, size.players + 1)),
    )
    models = _stock(town.games)
    books = BulkWriter(
        [Player(pk=number) for number in range(size.players + 1)], data_copies.public_id_prefix(0)
    )
    for number in range(1, size.finished + 1):
        model = rng.choice(models)
        books.enter(number, model.result, rng, number / size.finished, counted=True)
        books.add_moves(number, model.course)
    data_copies.scale_statistics(books.ledger, town.quarters)
    books.write()
    _write_running(models, size, rng, now)


def _write_running(
    models: list[SimulatedGame], size: DataSize, rng: random.Random, now: datetime
) -> None:
    games: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    moves: list[tuple[Any, ...]] = []
    notices: list[tuple[Any, ...]] = []
    next_seat, next_move = (
        model._default_manager.order_by("-pk").values_list("pk", flat=True)[0] + 1
        for model in (Seat, Move)
    )
    for number in range(size.finished + 1, size.finished + size.running + 1):
        played = rng.choice(models).course
        game, count = played.game, rng.randrange(len(played.moves) // 2)
        acted_at = now - rng.random() * (CLOCK - timedelta(hours=1))
        table = rng.sample(range(1, size.players + 1), game.size)
        here = played.at(count)
        turn = here.pending
        assert isinstance(turn, Decide)
        running = Game(status=Game.Status.RUNNING, move_count=count)
        games.append(
            (
                *(
                    number,
                    f"{data_copies.public_id_prefix(0)}{number}",
                    game.ruleset,
                    game.size,
                    game.options,
                ),
                *(game.seed, game.commitment, table[0], acted_at - count * TIME_PER_MOVE, acted_at),
                *(acted_at + CLOCK, count, next_seat + turn.seat, turn.kind, sight(running, here)),
            )
        )
        moves += move_rows(number, played, count, acted_at)
        for seat, player in zip(played.seats, table, strict=True):
            own_turn = seat.number == turn.seat
            clock = (CLOCK, CLOCK if own_turn else None, acted_at if own_turn else None)
            seats.append(
                (next_seat, number, player, seat.joined, seat.number, seat.entropy, *clock)
            )
            if own_turn:
                notices += _notices(player, number, count, acted_at, now)
            next_seat += 1
    usual = Game(
        created_at=BEGINNING,
        status=Game.Status.RUNNING,
        pace="daily",
        visibility="public",
        rated=False,
    )
    write_rows(Game, usual, RUNNING_COLUMNS, games)
    write_rows(Seat, Seat(joined_at=BEGINNING), PLAYING_COLUMNS, seats)
    write_rows(
        Move, Move(), MOVE_COLUMNS, ((n, *row) for n, row in enumerate(moves, start=next_move))
    )
    write_rows(
        Notice, Notice(), NOTICE_COLUMNS, ((n, *row) for n, row in enumerate(notices, start=1))
    )


def _notices(
    player: int, game: int, move: int, since: datetime, now: datetime
) -> Iterator[tuple[Any, ...]]:
    """Whoever is to act was told, and is reminded when half and a fifth of the time are left."""
    moments = {Notice.Kind.TURN: since}
    moments |= {kind: since + CLOCK * (1 - share) for kind, share in WHAT_IS_LEFT.items()}
    for kind, due in moments.items():
        state, sent = (State.SENT, due) if due <= now else (State.QUEUED, None)
        yield player, game, move, kind, state, since, due, sent


def load_plan() -> list[dict[str, Any]]:
    """For whoever puts the town under load: games, what is played next in them by whom, with
    the cookie of each, and the stamp of the page as it is."""
    games = Game.objects.count()
    copied = {_kind(model.course.game): model.course for model in _stock(games)}
    found = []
    # SQLite takes no list of all players.
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    for game in _driven().prefetch_related(seats):
        moves = copied[_kind(game)].moves[game.move_count :]
        cookies = {seat.number: session_key(seat.player) for seat in game.seats.all()}
        found.append(
            {
                "game": game.public_id,
                "on": game.move_count,
                "moves": [(move.action, cookies[move.seat]) for move in moves],
                "cookie": cookies[0],
                "stamp": current_stamp(game.public_id),
            }
        )
    return found


def _kind(game: Game) -> tuple[str, int, bytes]:
    """What a copy has in common with the game that was simulated."""
    return game.ruleset, game.size, bytes(game.seed)


def _driven() -> QuerySet[Game]:
    """Some games of all quarters; of the others, players can be told that it is their turn."""
    running = Game.objects.filter(status=Game.Status.RUNNING).order_by("pk")
    numbers = list(running.values_list("pk", flat=True))
    return running.filter(pk__in=numbers[:: max(len(numbers) // DRIVEN, 2)][:DRIVEN])


def queue_emails(count: int, now: datetime) -> int:
    """So many players are to be told of a turn at once, each by a mail of their own."""
    told = Notice.objects.filter(kind=Notice.Kind.TURN, state=State.SENT).order_by("-pk")
    told = told.filter(game__move_count=F("move_number"))
    turns = dict(told.values_list("player", "pk"))
    chosen = list(turns.values())[:count]
    for first in range(0, len(chosen), AT_ONCE):
        queued = Notice.objects.filter(pk__in=chosen[first : first + AT_ONCE])
        queued.update(state=State.QUEUED, due_at=now, sent_at=None)
    return len(chosen)
