"""A town: players, finished games and running ones, all with their moves, so that any of them
can be looked at, verified and played on.

A few dozen games are simulated; all others are copies of them with other players. What a copy
draws follows from the seed that it was copied with, so it is known which moves are legal next.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management.color import no_style
from django.db import connection

from games.engine.interface import Decide
from games.management.benchmarks.fill import (
    BEGINNING,
    GAME_COLUMNS,
    SEAT_COLUMNS,
    Books,
    finished_game,
    write_rows,
)
from games.models import Game, Notice, Player, Seat
from games.selectors.finished import Finished
from games.selectors.position import starting_position
from games.selectors.table import current_stamp

COPIED_FROM = 4
"""How many games of each kind are simulated."""

A_MOVE = timedelta(hours=3)
CLOCK = 3 * timedelta(days=1)
DRIVEN = 400
"""How many of the running games are played on, and looked at."""

RUNNING_COLUMNS = (
    *("id", "public_id", "ruleset", "size", "options", "seed", "commitment", "creator_id"),
    *("started_at", "acted_at", "deadline", "move_count", "to_act_id", "to_act_kind"),
)
PLAYING_COLUMNS = (
    *("id", "game_id", "player_id", "joined", "number", "entropy"),
    *("bank", "turn_bank", "clock_since"),
)


@dataclass(frozen=True)
class Model:
    """A simulated game to be copied, whole or in part."""

    whole: Finished
    moves: list[tuple[int, str, str]]
    """Seat, action and facts of each."""
    pending: list[Decide]
    """Who was to decide before each move."""


def settle(*, players: int, running: int, finished: int, now: datetime) -> None:
    """Fill an empty PostgreSQL database."""
    # Not for secrets: the same town each time.
    rng = random.Random(players + running + finished)  # noqa: S311
    with connection.cursor() as cursor:
        # Games name the seat that is to act, seats their game; the keys are ours.
        cursor.execute("SET session_replication_role = replica")
    write_rows(
        Player,
        Player(date_joined=BEGINNING, password="!"),  # noqa: S106
        ("id", "username", "email"),
        ((n, f"player{n}", f"player{n}@souk.example") for n in range(1, players + 1)),
    )
    models = list(_models())
    copies: list[tuple[int, int, int]] = []
    town = FinishedGames()
    for number in range(1, finished + 1):
        which = rng.randrange(len(models))
        town.enter(number, models[which].whole, rng, players, number / finished)
        copies.append((number, which, len(models[which].moves)))
    town.write()
    copies += _write_running(models, running, finished, players, rng, now)
    _write_moves(models, copies)
    with connection.cursor() as cursor:
        written = list(apps.get_app_config("games").get_models())
        for statement in connection.ops.sequence_reset_sql(no_style(), written):
            cursor.execute(statement)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


class FinishedGames(Books):
    """With all that is needed to replay them."""

    def write_games(self) -> None:
        write_rows(
            Game,
            Game(created_at=BEGINNING, status=Game.Status.OVER, pace="daily"),
            (*GAME_COLUMNS, "options", "seed", "commitment", "started_at"),
            (
                (*row, shelf.pk, *_secrets(model.game), row[7] - model.moves * A_MOVE)
                for (*row, shelf), model in zip(self.games, self.models, strict=True)
            ),
        )

    def write_seats(self) -> None:
        seated = ((seat.joined, seat.entropy) for model in self.models for seat in model.seats)
        write_rows(
            Seat,
            Seat(joined_at=BEGINNING),
            (*SEAT_COLUMNS, "entropy"),
            (
                (n, game, player, joined, seat, turns, place, ended_at, tally.pk, entropy)
                for n, (
                    (game, player, seat, turns, place, ended_at, tally),
                    (joined, entropy),
                ) in enumerate(zip(self.seats, seated, strict=True), start=1)
            ),
        )


def _models() -> Iterator[Model]:
    from games.engine.games import RULESETS

    for key, rules in RULESETS.items():
        for size in rules.seat_counts:
            for seed in range(COPIED_FROM):
                yield _model(key, size, seed)


def _model(key: str, size: int, seed: int) -> Model:
    whole, actions = finished_game(key, size, seed), _actions(key, size, seed)
    here = starting_position(whole.game, whole.seats)
    moves, pending = [], []
    for seat, action in actions:
        assert isinstance(here.pending, Decide)
        pending.append(here.pending)
        here, facts = here.after(seat, action)
        moves.append((seat, action, json.dumps(facts)))
    return Model(whole, moves, pending)


def _actions(key: str, size: int, seed: int) -> list[tuple[int, str]]:
    from games.engine.games import RULESETS
    from games.management.simulation import simulated_game

    rules = RULESETS[key]
    record = simulated_game(rules, seats=size, options=rules.options({}), seed=str(seed))
    return [(move.seat, move.action) for move in record.moves]


def _secrets(game: Game) -> tuple[Any, bytes, str]:
    return game.options, bytes(game.seed), game.commitment


def _write_running(
    models: list[Model],
    running: int,
    already: int,
    players: int,
    rng: random.Random,
    now: datetime,
) -> list[tuple[int, int, int]]:
    games: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    copies = []
    next_seat = (Seat.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    for number in range(already + 1, already + running + 1):
        which = rng.randrange(len(models))
        model = models[which]
        game = model.whole.game
        played = rng.randrange(len(model.moves) // 2)
        acted_at = now - rng.random() * (CLOCK - timedelta(hours=1))
        table = rng.sample(range(1, players + 1), game.size)
        turn = model.pending[played]
        copies.append((number, which, played))
        games.append(
            (
                *(number, f"g{number}", game.ruleset, game.size, *_secrets(game), table[0]),
                *(acted_at - played * A_MOVE, acted_at, acted_at + CLOCK, played),
                *(next_seat + turn.seat, turn.kind),
            )
        )
        for seat, player in zip(model.whole.seats, table, strict=True):
            own_turn = seat.number == turn.seat
            clock = (CLOCK, CLOCK if own_turn else None, acted_at if own_turn else None)
            seats.append(
                (next_seat, number, player, seat.joined, seat.number, seat.entropy, *clock)
            )
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
    return copies


def _write_moves(models: list[Model], copies: list[tuple[int, int, int]]) -> None:
    """The server copies them: there may be ten million."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE model (model int, number int, seat int, action text, facts jsonb)"
        )
        cursor.executemany(
            "INSERT INTO model VALUES (%s, %s, %s, %s, %s)",
            [
                (which, number, *move)
                for which, model in enumerate(models)
                for number, move in enumerate(model.moves, start=1)
            ],
        )
        cursor.execute("CREATE TEMP TABLE copied (game bigint, model int, moves int)")
        with cursor.copy("COPY copied FROM STDIN") as rows:
            for copy in copies:
                rows.write_row(copy)
        cursor.execute("ANALYZE model, copied")
        cursor.execute(
            """
            INSERT INTO games_move (game_id, number, seat, action, facts, at)
            SELECT game, number, seat, action, facts, started_at + number * %s::interval
            FROM copied JOIN model USING (model) JOIN games_game ON games_game.id = game
            WHERE number <= moves ORDER BY game, number
            """,
            [str(A_MOVE)],
        )
        sys.stderr.write(f"  {cursor.rowcount:,} moves written\n")


def plan() -> list[dict[str, Any]]:
    """For whoever puts the town under load: games, what is played next in them by whom, with
    the cookie of each, and the stamp of the page as it is."""
    models = list(_models())
    by_kind = {
        (model.whole.game.ruleset, model.whole.game.size, bytes(model.whole.game.seed)): model
        for model in models
    }
    found = []
    games = Game.objects.filter(status=Game.Status.RUNNING).order_by("pk")[:DRIVEN]
    for game in games.prefetch_related("seats__player"):
        model = by_kind[game.ruleset, game.size, bytes(game.seed)]
        cookies = {seat.number: _signed_in(seat.player) for seat in game.seats.all()}
        found.append(
            {
                "game": game.public_id,
                "on": game.move_count,
                "moves": [
                    (action, cookies[seat]) for seat, action, _ in model.moves[game.move_count :]
                ],
                "cookie": cookies[0],
                "stamp": current_stamp(game.public_id),
            }
        )
    return found


def _signed_in(player: Player) -> str:
    session = SessionStore()
    session.update(
        {
            SESSION_KEY: str(player.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[-1],
            HASH_SESSION_KEY: player.get_session_auth_hash(),
        }
    )
    session.create()
    return str(session.session_key)


def owe_mail(count: int, now: datetime) -> int:
    """So many mails are due at once."""
    games = Game.objects.filter(status=Game.Status.RUNNING).order_by("-pk")[:count]
    notices = [
        Notice(
            player_id=game.to_act.player_id,
            game=game,
            move_number=game.move_count,
            kind=Notice.Kind.TURN,
            created_at=now,
            due_at=now,
        )
        for game in games.select_related("to_act")
        if game.to_act
    ]
    return len(Notice.objects.bulk_create(notices, ignore_conflicts=True))
