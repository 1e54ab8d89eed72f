"""Seats whose time is up are taken by a sweep, whether or not anybody looks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from games.models import Game
from games.services import grace, play, vacation

log = logging.getLogger(__name__)


EVERY = 5.0  # seconds


def keep_sweeping(*, clock: Callable[[], datetime], wait: Callable[[float], object]) -> None:
    """For ever, in a thread of its own. Any number may do so at once: a seat is taken once."""
    while True:
        wait(EVERY)
        try:
            sweep_deadlines(now=clock())
        except Exception:
            log.exception("nobody's time runs out while the database does not answer")


def sweep_deadlines(*, now: datetime) -> int:
    """Take every seat whose time is up, unless its player was not told or spends a day of
    vacation; how many were taken."""
    due = Game.objects.filter(
        status=Game.Status.RUNNING, deadline__isnull=False, deadline__lte=now
    ).order_by("deadline")
    taken = 0
    for game_id in list(due.values_list("pk", flat=True)):
        try:
            saved = grace.give_grace(game_id=game_id, now=now)
            if not (saved or vacation.spend_a_day(game_id=game_id, now=now)):
                taken += play.time_out(game_id=game_id, now=now)
        except Exception:
            # One game that cannot be handled must not keep all others waiting.
            log.exception("deadline of game %s", game_id)
    return taken
