"""Whole games from simulated records, stored quickly and ended by the service that ends them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from games.engine.chance import seating
from games.engine.games import ruleset
from games.engine.interface import Decide
from games.engine.record import Record, replay
from games.models import Game, Move, Player, Seat
from games.selectors.position import starting_position
from games.services import play
from games.services.ratings import LEAST_MOVES
from tests.people import NOON, new_player
from tools.random_games import simulated_game

HOUR = timedelta(hours=1)


def people(*names: str) -> list[Player]:
    return [new_player(name) for name in names]


def record_of(key: str = "marrakech", seats: int = 2, seed: object = 1, **how: Any) -> Record:
    rules = ruleset(key)
    options = rules.options(how.pop("options", {}))
    return simulated_game(rules, seats=seats, options=options, seed=str(seed), **how)


def stored_game(
    players: Sequence[Player],
    *,
    ruleset: str = "marrakech",
    seed: object = 1,
    leave: float = 0.0,
    until: int | None = None,
    ended_at: datetime = NOON,
    **columns: Any,
) -> Game:
    """A game of these players, in order of joining, an hour a move; `until`: so many moves of
    it, so that it still runs."""
    record = record_of(ruleset, len(players), seed, leave=leave)
    moves = record.moves[:until]
    start = ended_at - HOUR * len(moves)
    game = Game.objects.create(
        **{
            "ruleset": ruleset,
            "options": record.rules,
            "edition": "international" if ruleset == "marrakech" else "standard",
            "size": len(players),
            "pace": Game.Pace.DAILY,
            "visibility": Game.Visibility.PUBLIC,
            "rated": True,
            "creator": players[0],
            "seed": record.fairness.seed,
            "commitment": record.fairness.commitment,
            "created_at": start,
            "started_at": start,
            "status": Game.Status.RUNNING,
            **columns,
        }
    )
    assert record.fairness.seed is not None
    numbers = seating(record.fairness.seed, record.fairness.entropy)
    seats = [
        Seat.objects.create(
            game=game,
            player=player,
            joined=joined,
            entropy=record.fairness.entropy[joined],
            joined_at=start,
            number=numbers.index(joined),
        )
        for joined, player in enumerate(players)
    ]
    by_number = sorted(seats, key=lambda seat: seat.number or 0)
    before, last = moves[:-1], moves[-1]
    Move.objects.bulk_create(
        Move(
            game=game,
            number=move.n,
            seat=move.seat,
            action=move.action,
            facts=dict(step.facts),
            at=start + HOUR * move.n,
        )
        for move, step in zip(before, replay(record), strict=False)
    )
    for move in before:
        if move.action in ("resign", "timeout"):
            by_number[move.seat].left_by = move.action
    Seat.objects.bulk_update(seats, ["left_by"])
    game.move_count = len(before)
    mover = by_number[last.seat]
    game.to_act = mover
    game.deadline = ended_at
    game.save()
    if last.action == "resign":
        play.resign(game_id=game.pk, player=mover.player, now=ended_at)
    elif last.action == "timeout":
        play.time_out(game_id=game.pk, now=ended_at)
    else:
        play.play_move(
            game_id=game.pk,
            player=mover.player,
            action=last.action,
            on_move=len(before),
            now=ended_at,
        )
    game.refresh_from_db()
    return game


def given_up(
    winner: Player,
    loser: Player,
    *,
    by: str = "resign",
    ended_at: datetime = NOON,
    moves: int = LEAST_MOVES,
    **columns: Any,
) -> Game:
    """The shortest game of two that counts: one of them leaves as soon as that is so."""
    columns = {"rated": True, "edition": "international", **columns}
    game = Game.objects.create(
        ruleset="marrakech",
        options=ruleset("marrakech").options({}),
        size=2,
        pace=Game.Pace.DAILY,
        visibility=columns.pop("visibility", Game.Visibility.PUBLIC),
        creator=winner,
        seed=bytes(32),
        commitment="66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
        created_at=ended_at - HOUR,
        started_at=columns.pop("started_at", ended_at - HOUR),
        status=Game.Status.RUNNING,
        deadline=ended_at,
        **columns,
    )
    numbers = seating(bytes(32), ("mint", "fig"))
    seats = [
        Seat.objects.create(
            game=game,
            player=player,
            joined=joined,
            entropy=("mint", "fig")[joined],
            joined_at=ended_at,
            number=numbers.index(joined),
        )
        for joined, player in enumerate((winner, loser))
    ]
    game.to_act = seats[1]
    _play_a_little(game, seats, moves)
    game.save()
    if by == "resign":
        play.resign(game_id=game.pk, player=loser, now=ended_at)
    else:
        play.time_out(game_id=game.pk, now=ended_at)
    game.refresh_from_db()
    return game


def _play_a_little(game: Game, seats: Sequence[Seat], least: int) -> None:
    """The first legal decision of everybody in turn, until each made so many."""
    here = starting_position(game, seats)
    made = [0] * len(seats)
    while min(made) < least:
        pending = here.pending
        assert isinstance(pending, Decide)
        action = here.observe(pending.seat)["legal"][0]
        here, facts = here.after(pending.seat, action)
        made[pending.seat] += 1
        Move.objects.create(
            game=game,
            number=sum(made),
            seat=pending.seat,
            action=action,
            facts=facts,
            at=game.created_at,
        )
    game.move_count = sum(made)
