"""The course of a game: its moves with the positions between them, replayed once.

Whoever needs a position, all of them (for the curves) or what happened on the way (for the
books) takes it from here, so that nobody replays a game that somebody else has replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from games.engine.interface import Played
from games.models import Game, Move, Seat
from games.selectors.position import Position
from games.selectors.prepared import Given, prepared
from games.selectors.replays import line


@dataclass(frozen=True)
class Course:
    """A game that has started, with its seats in the order of the table and all its moves."""

    game: Game
    seats: Sequence[Seat]
    moves: Sequence[Move]
    start: Position
    played: Sequence[Played]

    @property
    def states(self) -> list[Any]:
        """Before and after each move."""
        return [self.start.state, *(step.after for step in self.played)]

    @property
    def end(self) -> Position:
        return self.at(len(self.played))

    def at(self, number: int) -> Position:
        """After so many moves."""
        state = self.played[number - 1].after if number else self.start.state
        return replace(self.start, state=state)

    def and_then(self, move: Move, played: Played) -> Course:
        return replace(self, moves=[*self.moves, move], played=[*self.played, played])


def course(game: Game, seats: Iterable[Seat], moves: Iterable[Move]) -> Course:
    """Replay the game; `moves` are the first ones, or all."""
    in_order = sorted(seats, key=lambda seat: seat.number or 0)
    known = sorted(moves, key=lambda move: move.number)
    known_line = line(game, in_order)
    return Course(game, in_order, known, known_line.start, known_line.along(known))


def course_of(game: Game) -> Course:
    """With the seats and moves of the game, which may be prefetched."""
    here = getattr(game, "_prefetched_objects_cache", ())
    seats = game.seats.all() if "seats" in here else game.seats.select_related("player", "stand_in")
    moves = game.moves.all() if "moves" in here else moves_of(game=game.pk)
    # Not those made since the game was read: what it says of whose turn it is would not fit.
    return course(game, seats, [move for move in moves if move.number <= game.move_count])


@prepared
def moves_of() -> QuerySet[Move]:
    return Move.objects.filter(game=Given("game")).order_by("number")
