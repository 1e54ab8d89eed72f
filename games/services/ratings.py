"""Ratings: openskill's Plackett–Luce for any number of players at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

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


def rated(skills: Sequence[Skill], places: Sequence[int], spared: Sequence[bool]) -> list[Skill]:
    """The skills after a game that ended with these places.

    Whoever is spared keeps the rating rather than losing any; for the others the game counts
    in full.
    """
    teams = [[MODEL.create_rating([skill.mu, skill.sigma])] for skill in skills]
    after = MODEL.rate(teams, ranks=[float(place) for place in places])
    found = [Skill(team[0].mu, team[0].sigma) for team in after]
    return [
        old if kept and new.mu < old.mu else new
        for old, new, kept in zip(skills, found, spared, strict=True)
    ]
