"""Whether the derived columns of games follow from their moves."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Prefetch

from games.engine import chance
from games.engine.errors import RulesError
from games.engine.interface import LEAVING, TIMEOUT, Decide, Over
from games.models import Game, Move, Seat
from games.selectors.finished import deserted, places
from games.selectors.position import Position, starting_position

STARTED = (Game.Status.RUNNING, Game.Status.OVER)
CHUNK = 500


def started_games() -> Iterator[Game]:
    """Every game with moves to follow from, with its seats and moves."""
    return (
        Game.objects.filter(status__in=STARTED)
        .order_by("pk")
        .prefetch_related(
            Prefetch("seats", Seat.objects.order_by("joined")),
            Prefetch("moves", Move.objects.order_by("number")),
        )
        .iterator(CHUNK)
    )


def faults_of(game: Game) -> list[str]:
    """What does not follow, in words for an operator."""
    seats, moves = list(game.seats.all()), list(game.moves.all())
    return list(_faults(game, seats, moves))


def _faults(game: Game, seats: list[Seat], moves: list[Move]) -> Iterator[str]:
    seed = bytes(game.seed)
    if chance.commitment(seed) != game.commitment:
        yield "the commitment is not that of the seed"
    seating = chance.seating(seed, [seat.entropy for seat in seats])
    if [seating.index(seat.joined) for seat in seats] != [seat.number for seat in seats]:
        yield "the seating does not follow from the seed and the words"
        return
    if [move.number for move in moves] != list(range(1, len(moves) + 1)):
        yield "the moves are not numbered from 1"
    if game.move_count != len(moves):
        yield f"move_count is {game.move_count}, expected {len(moves)}"
    here = starting_position(game, seats)
    for move in moves:
        try:
            here, facts = here.after(move.seat, move.action)
        except RulesError as error:
            yield f"move {move.number}: {error}"
            return
        if _as_stored(facts) != move.facts:
            yield f"move {move.number}: its facts are not those of the engine"
    yield from _faults_of_columns(game, seats, moves, here)


def _faults_of_columns(
    game: Game, seats: list[Seat], moves: list[Move], here: Position
) -> Iterator[str]:
    pending = here.pending
    acting = kind = result = None
    status = Game.Status.RUNNING
    taken: dict[int, int] = {}
    if isinstance(pending, Decide):
        acting, kind = pending.seat, pending.kind
    if isinstance(pending, Over):
        status = Game.Status.OVER
        taken = dict(enumerate(places(pending, deserted(seats))))
        result = pending.result()
        if moves and (game.ended_at is None or game.ended_at < moves[-1].at):
            yield f"ended_at is {game.ended_at}, expected no sooner than the last move"
    left = {move.seat: move.action for move in moves if move.action in LEAVING}
    left |= dict.fromkeys(deserted(seats), TIMEOUT)
    stored_acting = next((seat.number for seat in seats if seat.pk == game.to_act_id), None)
    expected = {
        "status": (game.status, status),
        "to_act": (stored_acting, acting),
        "to_act_kind": (game.to_act_kind or None, kind),
        "result": (game.result, result),
    }
    for seat in seats:
        assert seat.number is not None
        expected[f"place of seat {seat.number}"] = (seat.place, taken.get(seat.number))
        expected[f"left_by of seat {seat.number}"] = (seat.left_by, left.get(seat.number, ""))
    for name, (stands, follows) in expected.items():
        if stands != follows:
            yield f"{name} is {stands!r}, expected {follows!r}"


def _as_stored(facts: object) -> object:
    """Tuples become lists in the database."""
    if isinstance(facts, dict):
        return {name: _as_stored(value) for name, value in facts.items()}
    if isinstance(facts, list | tuple):
        return [_as_stored(value) for value in facts]
    return facts
