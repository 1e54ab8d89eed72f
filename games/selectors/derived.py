"""What follows from the moves of a game, and where the stored columns say otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch, Q

from games.engine import chance
from games.engine.errors import RulesError
from games.engine.interface import LEAVING, TIMEOUT, Decide, Over, Pending
from games.models import Game, Move, Seat
from games.selectors.access import STARTED
from games.selectors.finished import deserted, places
from games.selectors.position import Position, sight_of, starting_position

CHUNK = 500


class Unsound(Exception):
    """The moves themselves are wrong: nothing follows from them."""


@dataclass(frozen=True)
class Outcome:
    """What follows from the moves."""

    pending: Pending
    status: Game.Status
    acting: int | None
    kind: str
    result: Mapping[str, Any] | None
    places: Mapping[int, int]
    left_by: Mapping[int, str]
    turn_from: int
    """The number of moves there were when the turn began, and when that was."""
    turn_at: datetime
    banks: Mapping[int, timedelta]
    """What each clock had at the end of its last turn, where every turn says how long it ran."""
    sight: str
    strange: Sequence[str]
    """Moves whose facts are not those of the engine."""


def games_to_check(**which: Any) -> Iterator[Game]:
    """Every game that has started, or says that it has not and looks as if it had."""
    return (
        Game.objects.filter(
            Q(status__in=STARTED)
            | Q(started_at__isnull=False)
            | Q(move_count__gt=0)
            | Q(pk__in=Move.objects.values("game")),
            **which,
        )
        .order_by("pk")
        .prefetch_related(
            Prefetch("seats", seats_to_check()),
            Prefetch("moves", Move.objects.order_by("number")),
        )
        .iterator(CHUNK)
    )


def seats_to_check() -> Any:
    return Seat.objects.select_related("player", "stand_in").order_by("joined")


def outcome(game: Game, seats: Sequence[Seat], moves: Sequence[Move]) -> Outcome:
    """Replays the game; raises `Unsound` where the moves are not those of a game."""
    actors, here, strange = _replay(game, seats, moves)
    pending = here.pending
    result: dict[str, Any] | None = None
    taken: dict[int, int] = {}
    if isinstance(pending, Over):
        taken = dict(enumerate(places(pending, deserted(seats))))
        result = pending.result()
    left = {move.seat: move.action for move in moves if move.action in LEAVING}
    turn_from = max(
        (number for number in range(1, len(actors)) if actors[number] != actors[number - 1]),
        default=0,
    )
    began = moves[turn_from - 1].at if turn_from else game.started_at or game.created_at
    status = Game.Status.OVER if result else Game.Status.RUNNING
    acting, kind = actors[-1], pending.kind if isinstance(pending, Decide) else ""
    if game.annulled_at:
        # Whatever the moves led to, nobody is to act and nobody has won.
        status, acting, kind, result, taken = Game.Status.ANNULLED, None, "", None, {}
    return Outcome(
        pending=pending,
        status=status,
        acting=acting,
        kind=kind,
        result=result,
        places=taken,
        left_by=left | dict.fromkeys(deserted(seats), TIMEOUT),
        turn_from=turn_from,
        turn_at=began,
        banks=_banks(game, seats, moves, actors),
        sight=sight_of(here.rules, here.state) if status == Game.Status.RUNNING and moves else "",
        strange=strange,
    )


def faults_of(game: Game, seats: Sequence[Seat], moves: Sequence[Move]) -> list[str]:
    """What of the moves, and of what they say about the game, is wrong, in words for an operator.

    Raises `Unsound` with the first thing that makes the rest worthless.
    """
    follows = outcome(game, seats, moves)
    return [
        *_faults_of_moves(game, moves),
        *follows.strange,
        *_faults_of_columns(game, seats, moves, follows),
    ]


def _faults_of_moves(game: Game, moves: Sequence[Move]) -> Iterator[str]:
    if chance.commitment(bytes(game.seed)) != game.commitment:
        yield "the commitment is not that of the seed"
    if [move.number for move in moves] != list(range(1, len(moves) + 1)):
        yield "the moves are not numbered from 1"


def _replay(
    game: Game, seats: Sequence[Seat], moves: Sequence[Move]
) -> tuple[list[int | None], Position, list[str]]:
    """Who was to act before the first move and after each, where that led to, and moves
    whose facts are not those of the engine."""
    seating = chance.seating(bytes(game.seed), [seat.entropy for seat in seats])
    if len(seats) != game.size or [seating.index(seat.joined) for seat in seats] != [
        seat.number for seat in seats
    ]:
        raise Unsound("the seating does not follow from the seed and the words")
    here = starting_position(game, seats)
    actors, strange = [_actor(here.pending)], []
    for move in moves:
        try:
            here, facts = here.after(move.seat, move.action)
        except RulesError as error:
            raise Unsound(f"move {move.number}: {error}") from error
        if _as_stored(facts) != move.facts:
            strange.append(f"move {move.number}: its facts are not those of the engine")
        actors.append(_actor(here.pending))
    return actors, here, strange


def _actor(pending: Pending) -> int | None:
    return pending.seat if isinstance(pending, Decide) else None


def _banks(
    game: Game, seats: Sequence[Seat], moves: Sequence[Move], actors: Sequence[int | None]
) -> dict[int, timedelta]:
    pace = Game.Pace(game.pace)
    if pace.cap is None or pace.increment is None:
        return {}
    # A seat that a bot took over, or that was taken back, got time that no move tells of.
    banks = {
        seat.number: pace.cap
        for seat in seats
        if seat.number is not None and seat.stand_in_since is None and not seat.player.bot_level
    }
    for move, before, after in zip(moves, actors, actors[1:], strict=False):
        if before is None or before == after or before not in banks:
            continue
        if move.ran is None:
            del banks[before]
            continue
        left = max(banks[before] - move.ran, timedelta())
        leaves = move.action in LEAVING and move.seat == before
        banks[before] = min(left if leaves else left + pace.increment, pace.cap)
    return banks


def _faults_of_columns(
    game: Game, seats: Sequence[Seat], moves: Sequence[Move], follows: Outcome
) -> Iterator[str]:
    if follows.result and moves and (game.ended_at is None or game.ended_at < moves[-1].at):
        yield f"ended_at is {game.ended_at}, expected no sooner than the last move"
    acting = next((seat.number for seat in seats if seat.pk == game.to_act_id), None)
    expected: dict[str, tuple[Any, Any]] = {
        "move_count": (game.move_count, len(moves)),
        "status": (game.status, follows.status),
        "to_act": (acting, follows.acting),
        "to_act_kind": (game.to_act_kind, follows.kind),
        "result": (game.result, follows.result),
        "sight": (game.sight, follows.sight),
    }
    for seat in seats:
        assert seat.number is not None
        own = seat.number
        expected[f"place of seat {own}"] = (seat.place, follows.places.get(own))
        expected[f"left_by of seat {own}"] = (seat.left_by, follows.left_by.get(own, ""))
    for name, (stands, so) in expected.items():
        if stands != so:
            yield f"{name} is {stands!r}, expected {so!r}"


def _as_stored(facts: object) -> object:
    """Tuples become lists in the database."""
    if isinstance(facts, dict):
        return {name: _as_stored(value) for name, value in facts.items()}
    if isinstance(facts, list | tuple):
        return [_as_stored(value) for value in facts]
    return facts
