"""How a rated game counted, for those who wonder about their rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.interface import TIMEOUT
from games.models import Game, Player


@dataclass(frozen=True)
class Counting:
    uncounted: str
    """Why it did not count at all; see `Game.Uncounted`."""
    percent: int
    spared: Sequence[Player]
    """Who ran out of time and lost no rating by it."""

    @property
    def is_usual(self) -> bool:
        return not self.uncounted and self.percent == 100 and not self.spared


def counting_of(game: Game) -> Counting | None:
    """None for a game that is casual or not over."""
    if not game.rated or game.status != Game.Status.OVER:
        return None
    changes = list(game.rating_changes.select_related("rating__player"))
    late = {seat.player_id for seat in game.seats.all() if seat.left_by == TIMEOUT}
    return Counting(
        uncounted=game.uncounted,
        percent=round(100 * min((change.share for change in changes), default=1.0)),
        spared=[
            change.rating.player
            for change in changes
            if change.rating.player_id in late and change.mu == change.before
        ],
    )
