"""Ratings: openskill's Plackett–Luce for any number of players at a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from openskill.models import PlackettLuce

from games.models import Game
from games.selectors.finished import Finished
from games.selectors.ratings import is_settled

MODEL = PlackettLuce()


class Skill(NamedTuple):
    mu: float
    sigma: float

    @property
    def settled(self) -> bool:
        return is_settled(self.sigma)


def newcomer() -> Skill:
    fresh = MODEL.rating()
    return Skill(fresh.mu, fresh.sigma)


LEAST_MOVES = 4
"""By each at the table: a game that somebody left sooner says nothing of anybody's strength."""

REPEATS = timedelta(days=30)
"""How long it is remembered that two have met."""

IN_FULL = 3
"""So many games of the same two count in full, so many more by half, and so on."""


def uncounted(result: Finished, skills: Sequence[Skill]) -> str:
    """Why a rated game counts for nobody's rating; nothing, if it does."""
    left_early = any(
        made < LEAST_MOVES and seat not in result.put_out
        for seat, made in enumerate(result.decisions)
    )
    if left_early and any(seat.left_by for seat in result.seats):
        return Game.Uncounted.SHORT
    public = result.game.visibility == Game.Visibility.PUBLIC
    if not public and not all(skill.settled for skill in skills):
        return Game.Uncounted.PRIVATE
    return ""


def weight(met: int) -> float:
    """What a game counts of two who have met so often lately; always a power of a half, so that
    it is exact."""
    return 0.5 ** (met // IN_FULL)


def rated(
    skills: Sequence[Skill],
    places: Sequence[int],
    spared: Sequence[bool],
    share: float = 1.0,
) -> list[Skill]:
    """The skills after a game that ended with these places and counts by this share.

    Whoever is spared keeps the rating rather than losing any.
    """
    teams = [[MODEL.create_rating([skill.mu, skill.sigma])] for skill in skills]
    after = MODEL.rate(teams, ranks=[float(place) for place in places])
    found = [
        Skill(
            old.mu + share * (team[0].mu - old.mu), old.sigma + share * (team[0].sigma - old.sigma)
        )
        for old, team in zip(skills, after, strict=True)
    ]
    return [
        old if kept and new.mu < old.mu else new
        for old, new, kept in zip(skills, found, spared, strict=True)
    ]
