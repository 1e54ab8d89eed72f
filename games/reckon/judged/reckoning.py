"""From the moments of a game to its reckoning.

The law: for every seat, result − start = Σ luck + Σ gifts + residual, exactly. The residual is what
the judge said of one position before and after looking one step further; it is nobody's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from .moments import Moment, Roll, minus
from .shares import POINT, Shares

Luck = tuple[Fraction, ...]
"""Of every seat, in millionths: the mean over the sides of a die need not be a whole number."""

DECISIVE = 8 * POINT


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Moves are counted from 1, seats from 0."""

    moments: tuple[Moment, ...]
    result: Shares

    @property
    def seats(self) -> range:
        return range(len(self.result))

    @property
    def course(self) -> list[Shares]:
        """Everybody's shares before each move, and in the end."""
        return [*(moment.before for moment in self.moments), self.result]

    @property
    def luck(self) -> Luck:
        """What all rolls together did to everybody."""
        return _total([luck_of(each.roll) for each in self.moments if each.roll], len(self.result))

    @property
    def gifts(self) -> list[Shares]:
        """By giver, what everybody got; each row sums to 0."""
        return [
            _sum([each.gifts for each in self.moments if each.seat == giver], len(self.result))
            for giver in self.seats
        ]

    @property
    def residual(self) -> Luck:
        """Step by step: what came next, without what was expected of the move and its roll."""
        steps = [
            _slack(moment, following)
            for moment, following in zip(self.moments, self.course[1:], strict=True)
        ]
        return _total(steps, len(self.result))

    @property
    def gain(self) -> Shares:
        """From the start to the result."""
        return minus(self.result, self.course[0])

    @property
    def error_rates(self) -> list[Fraction | None]:
        """The mean loss over unforced decisions; None for a seat without any."""
        rates: list[Fraction | None] = []
        for seat in self.seats:
            losses = [each.loss for each in self.moments if each.is_free and each.seat == seat]
            rates.append(Fraction(sum(losses), len(losses)) if losses else None)
        return rates

    @property
    def winners(self) -> list[int]:
        return [seat for seat in self.seats if self.result[seat] == max(self.result)]

    @property
    def turning_point(self) -> int | None:
        """The move that brought those who won closest to it at one stroke; None if none did."""
        course = [sum(shares[seat] for seat in self.winners) for shares in self.course]
        rises = [after - before for before, after in pairwise(course)]
        return rises.index(max(rises)) + 1 if rises and max(rises) > 0 else None

    @property
    def luckiest(self) -> int | None:
        """The move with the roll that did most for whoever rolled; None if none did anything."""
        own = self._own_luck()
        most = max(own, key=lambda number: own[number], default=None)
        return most if most and own[most] > 0 else None

    @property
    def unluckiest(self) -> int | None:
        own = self._own_luck()
        least = min(own, key=lambda number: own[number], default=None)
        return least if least and own[least] < 0 else None

    @property
    def decisive(self) -> int | None:
        """The one mistake that decided the game: it gave the winner as much as a blunder costs, at
        least half of all that the winner gained, and twice as much as any other mistake."""
        if len(self.winners) != 1:
            return None
        (winner,) = self.winners
        given = {
            number: each.gifts[winner]
            for number, each in enumerate(self.moments, start=1)
            if each.mark and each.seat != winner
        }
        most = max(given, key=lambda number: given[number], default=None)
        if most is None or given[most] < DECISIVE or 2 * given[most] < self.gain[winner]:
            return None
        second = max((gift for number, gift in given.items() if number != most), default=0)
        return most if given[most] >= 2 * second else None

    def _own_luck(self) -> dict[int, Fraction]:
        """By move, what its roll did to whoever rolled."""
        return {
            number: luck_of(each.roll)[each.seat]
            for number, each in enumerate(self.moments, start=1)
            if each.roll
        }


def luck_of(roll: Roll) -> Luck:
    """What this value did to everybody; over all sides of the die it averages to 0."""
    fell = next(face.shares for face in roll.faces if face.value == roll.value)
    return tuple(share - mean for share, mean in zip(fell, expected(roll), strict=True))


def expected(roll: Roll) -> Luck:
    """Everybody's shares before the die fell: the mean over its sides."""
    sides = sum(face.sides for face in roll.faces)
    columns = zip(*(face.shares for face in roll.faces), strict=True)
    return tuple(
        Fraction(
            sum(face.sides * share for face, share in zip(roll.faces, column, strict=True)), sides
        )
        for column in columns
    )


def _slack(moment: Moment, following: Shares) -> Luck:
    reached: Sequence[Fraction | int] = moment.shares(moment.played)
    if moment.roll:
        luck = luck_of(moment.roll)
        reached = [share + by_chance for share, by_chance in zip(reached, luck, strict=True)]
    return tuple(Fraction(after - before) for after, before in zip(following, reached, strict=True))


def _total(parts: Sequence[Luck], seats: int) -> Luck:
    return tuple(sum((part[seat] for part in parts), Fraction()) for seat in range(seats))


def _sum(parts: Sequence[Shares], seats: int) -> Shares:
    return tuple(sum(part[seat] for part in parts) for seat in range(seats))
