"""A finished game as its moves tell it: who came where, and what each seat did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games import titles
from games.engine.interface import LAST_PLAYER, LEAVING, TIMEOUT, Decide, Figures, Over, Played
from games.models import Game, Move, Seat
from games.reckon.leads import Leads, leads
from games.selectors.course import Course
from games.selectors.position import Position

CLOSE, CAME_BACK, WITH_BOTS = 1, 2, 4
"""Traits of a game, by which the archive finds it."""

LONGEST_PATH = 160

SPREADS = {"length": 10, "margin": 5, "comeback": 5, "changes": 1, "highest": 1}
"""What games are spread out by, and in steps of how much."""


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
    went: Went


@dataclass(frozen=True)
class Went:
    """How a game went, for those who look for such games, and for the pages of numbers."""

    leads: Leads | None
    """In the count that matters most; None where it says nothing, because the others left."""
    highest: int
    """The highest of what makes games stand out; see `Title.highlight`."""
    opening: str
    """The path of the first moves: seats with what they did or rolled."""
    counts: Sequence[Counter[str]]
    """What the room counts, by seat."""
    moments: Sequence[Sequence[datetime]]
    """When each seat made its moves."""

    def traits(self, game: Game, seats: Sequence[Seat]) -> int:
        title = titles.find(game.ruleset)
        found = WITH_BOTS * any(seat.player.bot_level or seat.stand_in_id for seat in seats)
        if title and self.leads:
            found |= CLOSE * (self.leads.margin <= title.close)
            found |= CAME_BACK * (self.leads.comeback >= title.comeback)
        return found


def finished(course: Course) -> Finished:
    """What the course of a game that is over tells."""
    game, seats, over = course.game, course.seats, course.end.pending
    if not isinstance(over, Over):
        raise ValueError(f"{game!r} is not over after its {len(course.moves)} moves")
    figures = course.start.rules.figures(game.size, course.played)
    return Finished(
        game=game,
        seats=seats,
        over=over,
        places=places(over, deserted(seats)),
        moves=len(course.moves),
        figures=figures,
        answers=_answers(course),
        decisions=[len(_own_moves(seat, course.moves)) for seat in seats],
        put_out={
            seat
            for step in course.played
            if step.action not in LEAVING
            for seat in step.facts.get("out", ())
        },
        late_at=[_late_at(seat, course.moves) for seat in seats],
        went=_went(course, over, figures),
    )


def _went(course: Course, over: Over, figures: Sequence[Figures]) -> Went:
    key, size = course.game.ruleset, course.game.size
    title, figuring = titles.find(key), titles.brings(key, "figures", "FIGURING")
    name = title.highlight if title else ""
    return Went(
        leads=leads_of(course, over),
        highest=max(own.peaks.get(name, 0) for own in figures),
        opening=_opening(course.played[: title.opening if title else 0]),
        counts=figuring.count(size, course.played) if figuring else [Counter()] * size,
        moments=[[move.at for move in _own_moves(seat, course.moves)] for seat in course.seats],
    )


def leads_of(course: Course, over: Over) -> Leads | None:
    """Who was ahead, in the count that matters most."""
    if over.reason == LAST_PLAYER:
        return None
    told = main_counts(course)
    return leads(told, over.ranking[0]) if told else None


def main_counts(course: Course) -> list[tuple[int, ...]]:
    """The count that matters most, of all seats, before the first move and after each."""
    rules = course.start.rules
    counts = (next(iter(rules.counts(state).values()), None) for state in course.states)
    return [count for count in counts if count is not None]


def _opening(played: Sequence[Played]) -> str:
    """Until somebody leaves, or the path gets too long for its column."""
    path = ""
    for step in _steps(played):
        longer = f"{path}/{step}" if path else step
        if len(longer) > LONGEST_PATH:
            break
        path = longer
    return path


def _steps(played: Sequence[Played]) -> Iterator[str]:
    for each in played:
        if each.action in LEAVING:
            return
        yield f"{each.seat}{each.action}"
        if "die" in each.facts:
            yield f"{each.seat}{each.facts['die']}"


def _own_moves(seat: Seat, moves: Sequence[Move]) -> list[Move]:
    """Without those of a bot that played on."""
    until = seat.stand_in_since if seat.stand_in_id else None
    own = (move for move in moves if move.seat == seat.number and move.action not in LEAVING)
    return [move for move in own if until is None or move.number <= until]


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
