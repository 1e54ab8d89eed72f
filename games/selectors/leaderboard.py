"""Who is strongest, and where one stands oneself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from games.models import Player, Standing

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A player on the board; without a rank while the rating is provisional."""

    rank: int | None
    standing: Standing
    own: bool


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The best, and the own line where it is not among them."""

    lines: Sequence[Line]
    own: Line | None


def leaderboard(
    ruleset: str, viewer: Player | None, now: datetime, *, this_year: bool, size: int
) -> Leaderboard:
    """Players by rating; those who are level keep the order in which they came to the site."""
    board = Standing.objects.filter(
        ruleset=ruleset, year=now.year if this_year else 0, size=size
    ).select_related("player")
    ranked = board.filter(settled=True)
    best = [
        Line(rank, standing, own=viewer is not None and standing.player_id == viewer.pk)
        for rank, standing in enumerate(ranked.order_by("-mu", "player_id")[:SHOWN], start=1)
    ]
    if viewer is None or any(line.own for line in best):
        return Leaderboard(best, None)
    own = board.filter(player=viewer).first()
    return Leaderboard(best, Line(_rank(ranked, own), own, own=True) if own else None)


def _rank(ranked: QuerySet[Standing], own: Standing) -> int | None:
    if not own.settled:
        return None
    ahead = Q(mu__gt=own.mu) | Q(mu=own.mu, player_id__lt=own.player_id)
    return ranked.filter(ahead).count() + 1
