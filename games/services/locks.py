"""In which order rows are locked: games by their numbers, then the player, then notices.

Who keeps to it waits for others, and never in a circle. What slips through all the same (the
outbox locks notices as they come) is tried once more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

from games.models import Game, Player, Seat

P = ParamSpec("P")
R = TypeVar("R")

DEADLOCK = "40P01"
UNFINISHED = (Game.Status.OPEN, Game.Status.RUNNING)


def lock_games_of(player: Player) -> list[Game]:
    """All games in which a clock of the player runs or may be started by somebody's move, and
    the player: whoever else changes when clocks run or mail comes is let in afterwards."""
    seated = Seat.objects.filter(player=player).values("game")
    waiting = Game.objects.filter(pk__in=seated, status__in=UNFINISHED)
    games = list(waiting.select_for_update().order_by("pk"))
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    return games


def again_on_deadlock(service: Callable[P, R]) -> Callable[P, R]:
    """A service that is one transaction, tried once more if the database broke it off."""

    @wraps(service)
    def tried(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return service(*args, **kwargs)
        except OperationalError as error:
            if connection.in_atomic_block or not is_deadlock(error):
                raise
        return service(*args, **kwargs)

    return tried


def is_deadlock(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", "") == DEADLOCK
