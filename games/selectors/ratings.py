"""Ratings as people read them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from django.db.models import QuerySet

from games.models import Game, Player, Rating, RatingChange, Standing


class Certain(Protocol):
    @property
    def mu(self) -> float: ...

    @property
    def sigma(self) -> float: ...


SCALE = 60
"""Newcomers start at 1500, in steps that are easy to tell from each other."""

SETTLED_SIGMA = 6.0
"""Below this a rating is certain enough for the leaderboards: after a dozen games or so."""


def is_settled(sigma: float) -> bool:
    return sigma < SETTLED_SIGMA


def shown_rating(mu: float) -> int:
    return round(SCALE * mu)


BANDS = (1300, 1500, 1700)
"""Where the bands of ratings end; band 0 is that of ratings which are not certain."""


def rating_band(skills: Sequence[Certain]) -> int:
    """From 1: of a player, or of a table by the mean; 0 where nobody has a certain rating."""
    if not skills or not all(is_settled(skill.sigma) for skill in skills):
        return 0
    mean = sum(shown_rating(skill.mu) for skill in skills) / len(skills)
    return 1 + sum(mean >= end for end in BANDS)


class Known(NamedTuple):
    """A rating as a reader may know it."""

    mu: float
    sigma: float
    games: int
    """Those that counted."""


def known_ratings(
    players: Collection[Player], *, private_too: bool
) -> dict[tuple[int, str], Known]:
    """By player and game of the house: what everybody knows stands on the leaderboards, which
    move with public games alone; private games are their players' own business."""
    rows = (
        Rating.objects.filter(player__in=players, games__gt=0)
        if private_too
        else Standing.objects.filter(player__in=players, year=0, size=0)
    )
    found = rows.values_list("player", "ruleset", "mu", "sigma", "games")
    return {
        (player, ruleset): Known(mu, sigma, games) for player, ruleset, mu, sigma, games in found
    }


def changes_of(rating: Rating, *, private_too: bool) -> QuerySet[RatingChange]:
    """What games did to a rating: the points of its curve."""
    changes = rating.changes.all()
    return changes if private_too else changes.filter(game__visibility=Game.Visibility.PUBLIC)
