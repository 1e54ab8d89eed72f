"""A finished game as its moves tell it: who came where, and what each seat did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.engine.interface import LEAVING, TIMEOUT, Decide, Figures, Over
from games.models import Game, Move, Seat
from games.selectors.course import Course
from games.selectors.position import Position


@dataclass(frozen=True)
class Finished:
    """`seats` are in the order of the table, and so is all that has one entry a seat."""

    game: Game
    seats: Sequence[Seat]
    over: Over
    places: Sequence[int]
    moves: int
    figures: Sequence[Figures]
    answers: Sequence[Mapping[int, int]]
    """How many answers took how long; see `answer_bucket`."""
    decisions: Sequence[int]
    """How many moves everybody made, without those of a bot that played on."""
    put_out: Collection[int]
    """The seats that the rules put out, while others played on."""
    late_at: Sequence[datetime | None]
    """When somebody's time ran out."""


def finished(course: Course) -> Finished:
    """What the course of a game that is over tells."""
    game, seats, over = course.game, course.seats, course.end.pending
    if not isinstance(over, Over):
        raise ValueError(f"{game!r} is not over after its {len(course.moves)} moves")
    return Finished(
        game=game,
        seats=seats,
        over=over,
        places=places(over, deserted(seats)),
        moves=len(course.moves),
        figures=course.start.rules.figures(game.size, course.played),
        answers=_answers(course),
        decisions=[_decisions(seat, course.moves) for seat in seats],
        put_out={
            seat
            for step in course.played
            if step.action not in LEAVING
            for seat in step.facts.get("out", ())
        },
        late_at=[_late_at(seat, course.moves) for seat in seats],
    )


def _decisions(seat: Seat, moves: Sequence[Move]) -> int:
    until = seat.stand_in_since if seat.stand_in_id else None
    own = (move for move in moves if move.seat == seat.number and move.action not in LEAVING)
    return sum(until is None or move.number <= until for move in own)


def _late_at(seat: Seat, moves: Sequence[Move]) -> datetime | None:
    if seat.left_by != TIMEOUT:
        return None
    if seat.stand_in_id:
        # The bot answers at once.
        since = seat.stand_in_since or 0
        return next((move.at for move in moves if move.number > since), None)
    return next(move.at for move in moves if move.seat == seat.number and move.action == TIMEOUT)


def places(over: Over, deserted: Collection[int] = ()) -> list[int]:
    """The place of each seat; who shares a rank shares the place, and the next ones are skipped.

    Deserted seats come last, however well the bots did that played on for them.
    """
    ranks = [[seat for seat in rank if seat not in deserted] for rank in over.ranking]
    ranks += [[seat] for rank in over.ranking for seat in rank if seat in deserted]
    found: dict[int, int] = {}
    for rank in ranks:
        found |= dict.fromkeys(rank, len(found) + 1)
    return [found[seat] for seat in range(len(found))]


def deserted(seats: Sequence[Seat]) -> set[int]:
    """The seats that bots play for those whose time ran out."""
    return {seat.number for seat in seats if seat.stand_in_id and seat.number is not None}


def answer_bucket(seconds: int) -> int:
    """Times in steps of a quarter octave: whole numbers alone, so that it is exact."""
    return (seconds**4).bit_length()


def bucket_seconds(bucket: int) -> float:
    """The middle of the times that fall into this bucket."""
    return 0.0 if not bucket else 2 ** ((bucket - 0.5) / 4)


def _answers(course: Course) -> list[Mapping[int, int]]:
    """How long everybody was waited for: from the moment a seat is to decide until it does.
    What a bot decides for a deserted seat is no answer of the player."""
    game, start, moves = course.game, course.start, course.moves
    answers: list[Counter[int]] = [Counter() for _ in range(game.size)]
    alone = {seat.number: seat.stand_in_since or 0 for seat in course.seats if seat.stand_in_id}
    waiting, since = _decider(start, start.state), game.started_at
    for move, step in zip(moves, course.played, strict=True):
        following = _decider(start, step.after)
        bot = move.number > alone.get(move.seat, len(moves))
        if move.seat == waiting and move.action not in LEAVING and not bot and since is not None:
            answers[move.seat][answer_bucket(_seconds(since, move.at))] += 1
            # What else belongs to the same turn is played without a wait for the others.
            since = None
        if following != waiting:
            waiting, since = following, move.at
    return list(answers)


def _decider(start: Position, state: object) -> int | None:
    pending = start.rules.pending(state)
    return pending.seat if isinstance(pending, Decide) else None


def _seconds(start: datetime, end: datetime) -> int:
    return max(int((end - start).total_seconds()), 0)
