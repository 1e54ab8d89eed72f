"""Ratings as people read them."""

from __future__ import annotations

SCALE = 60
"""Newcomers start at 1500, in steps that are easy to tell from each other."""

SETTLED_SIGMA = 6.0
"""Below this a rating is certain enough for the leaderboards: after a dozen games or so."""


def is_settled(sigma: float) -> bool:
    return sigma < SETTLED_SIGMA


def shown_rating(mu: float) -> int:
    return round(SCALE * mu)
