"""Whom somebody has met, and how that went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Opponent, Player
from games.selectors.shares import Share

PAGE = 50
ORDERS = {"games": "-games", "last": "-met_at", "ahead": "-ahead", "behind": "-behind"}


@dataclass(frozen=True, slots=True)
class Met:
    row: Opponent
    share: Share
    """The games in which the player came in before the other."""


@dataclass(frozen=True, slots=True)
class Listing:
    rows: Sequence[Met]
    page: int
    more: bool
    order: str


def opponents(player: Player, *, private_too: bool, order: str, page: int) -> Listing:
    chosen = order if order in ORDERS else "games"
    # As one of a list: a plain truth value would not be looked up in the index.
    which = [not private_too]
    rows = Opponent.objects.filter(player=player, public__in=which, other__deleted_at=None)
    start = (page - 1) * PAGE
    ordered = rows.select_related("other").order_by(ORDERS[chosen], "other_id")
    found = list(ordered[start : start + PAGE + 1])
    shown = [Met(row, Share(str(row.other), row.games, row.ahead)) for row in found[:PAGE]]
    return Listing(shown, page, len(found) > PAGE, chosen)
