"""What a stored reckoning says of the players of its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from games.engine.interface import Decide, Over
from games.models import Game, Reckoning, Seat
from games.reckon.judged import company
from games.reckon.judged.moments import Moment
from games.reckon.judged.reckoning import Reckoning as Reckoned
from games.selectors.course import Course, course_of
from games.selectors.reckonings import reckoned


@dataclass(frozen=True)
class Decision:
    """A decision of a player with a choice: what it was about, when in the game, what it cost."""

    kind: str
    number: int
    """Of the move, from 0."""
    lost: int


@dataclass(frozen=True)
class Appraisal:
    """A judged game for the books."""

    game: Game
    course: Course
    reckoned: Reckoned
    entered_at: datetime

    @property
    def seats(self) -> Sequence[Seat]:
        return self.course.seats

    @property
    def is_whole(self) -> bool:
        """Everybody played to the end."""
        return not any(seat.left_by or seat.stand_in_id for seat in self.seats)

    @cached_property
    def favours(self) -> list[list[int]]:
        own = (
            moment
            for number, moment in enumerate(self.reckoned.moments)
            if self._is_own(number, moment)
        )
        return company.favours(own, len(self.seats))

    def decisions(self, seat: int) -> list[Decision]:
        return [
            Decision(self._kind(number), number, moment.loss)
            for number, moment in enumerate(self.reckoned.moments)
            if moment.seat == seat and moment.is_free and self._is_own(number, moment)
        ]

    def _kind(self, number: int) -> str:
        step = self.course.played[number]
        pending = self.course.start.rules.pending(step.before)
        assert isinstance(pending, Decide)
        return pending.kind

    def _is_own(self, number: int, moment: Moment) -> bool:
        """Not of a bot that played on."""
        seat = self.seats[moment.seat]
        return not seat.stand_in_id or number < (seat.stand_in_since or 0)


def appraisal_of(row: Reckoning, game: Game, entered_at: datetime) -> Appraisal:
    course = course_of(game)
    over = course.end.pending
    assert isinstance(over, Over)
    return Appraisal(game, course, reckoned(row, over.ranking, game.size), entered_at)
