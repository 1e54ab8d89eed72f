"""A finished game as its moves tell it: who came where, and what each seat did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.engine.interface import LEAVING, Decide, Figures, Over, Played
from games.models import Game, Move, Seat
from games.selectors.position import Position, starting_position


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


def finished(game: Game, seats: Sequence[Seat], moves: Sequence[Move]) -> Finished:
    """Replay a game that is over."""
    seats = sorted(seats, key=lambda seat: seat.number or 0)
    start = starting_position(game, seats)
    played = list(replayed(start, moves))
    rules = start.rules
    over = rules.pending(played[-1].after)
    if not isinstance(over, Over):
        raise ValueError(f"{game!r} is not over after its {len(moves)} moves")
    return Finished(
        game=game,
        seats=seats,
        over=over,
        places=places(over, deserted(seats)),
        moves=len(moves),
        figures=rules.figures(game.size, played),
        answers=_answers(game, start, seats, moves, played),
    )


def replayed(start: Position, moves: Sequence[Move]) -> Iterator[Played]:
    here = start
    for move in moves:
        after, facts = here.after(move.seat, move.action)
        yield Played(move.seat, move.action, here.state, after.state, facts)
        here = after


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


def _answers(
    game: Game,
    start: Position,
    seats: Sequence[Seat],
    moves: Sequence[Move],
    played: Sequence[Played],
) -> list[Mapping[int, int]]:
    """How long everybody was waited for: from the moment a seat is to decide until it does.
    What a bot decides for a deserted seat is no answer of the player."""
    answers: list[Counter[int]] = [Counter() for _ in range(game.size)]
    alone = {seat.number: seat.stand_in_since or 0 for seat in seats if seat.stand_in_id}
    waiting, since = _decider(start, start.state), game.started_at
    for move, step in zip(moves, played, strict=True):
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
