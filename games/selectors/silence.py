"""Games without a clock in which nobody has heard of whoever is to act for long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.models import Game, Player, Seat

SILENT_AFTER = timedelta(days=30)


@dataclass(frozen=True)
class Silence:
    """Whoever keeps the others waiting, since when, and who of them has to agree to go on."""

    seat: Seat
    since: datetime
    others: Sequence[Seat]
    move_count: int

    def agreed(self, seat: Seat) -> bool:
        return seat.goes_on_from == self.move_count

    @property
    def missing(self) -> list[Seat]:
        return [seat for seat in self.others if not self.agreed(seat)]

    @property
    def missing_names(self) -> list[str]:
        return [str(seat.player) for seat in self.missing]

    def asks(self, player: Player | None) -> bool:
        """Whether this player is to say yes, and has not."""
        return player is not None and player.pk in {seat.player_id for seat in self.missing}


def silence(game: Game, seats: Sequence[Seat], now: datetime) -> Silence | None:
    """None while the game has a clock, is not waiting for a person, or not for long enough."""
    if game.status != Game.Status.RUNNING or game.pace != Game.Pace.NONE or game.acted_at is None:
        return None
    acting = next((seat for seat in seats if seat.pk == game.to_act_id), None)
    if acting is None or acting.decider.bot_level or game.acted_at > now - SILENT_AFTER:
        return None
    others = [
        seat
        for seat in seats
        if seat.pk != acting.pk and not seat.left_by and not seat.player.bot_level
    ]
    return Silence(acting, game.acted_at, others, game.move_count)
