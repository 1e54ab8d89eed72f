"""Seats whose time is up are taken by a sweep, whether or not anybody looks."""

from __future__ import annotations

import logging
from datetime import datetime

from games.models import Game
from games.services import play, vacation

log = logging.getLogger(__name__)


def sweep_deadlines(*, now: datetime) -> int:
    """Take, or save by a day of vacation, every seat whose time is up; how many were taken."""
    due = Game.objects.filter(
        status=Game.Status.RUNNING, deadline__isnull=False, deadline__lte=now
    ).order_by("deadline")
    taken = 0
    for game_id in list(due.values_list("pk", flat=True)):
        try:
            if not vacation.spend_a_day(game_id=game_id, now=now):
                taken += play.time_out(game_id=game_id, now=now)
        except Exception:
            # One game that cannot be handled must not keep all others waiting.
            log.exception("deadline of game %s", game_id)
    return taken
