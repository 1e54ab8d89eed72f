"""Whom somebody has met, and how that went."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import Opponent, Player
from games.selectors.listings import Listing, listed, span
from games.selectors.shares import Share

PAGE = 50
ORDERS = {"games": "-games", "last": "-met_at", "ahead": "-ahead", "behind": "-behind"}


@dataclass(frozen=True, slots=True)
class Met:
    row: Opponent
    share: Share
    """The games in which the player came in before the other."""


def opponents(player: Player, *, private_too: bool, order: str, page: int) -> Listing[Met]:
    # As one of a list: a plain truth value would not be looked up in the index.
    which = [not private_too]
    rows = Opponent.objects.filter(player=player, public__in=which, other__deleted_at=None)
    start, end = span(page, PAGE)
    ordered = rows.select_related("other").order_by(ORDERS[order], "other_id")
    met = [Met(row, Share(str(row.other), row.games, row.ahead)) for row in ordered[start:end]]
    return listed(met, PAGE, page)
