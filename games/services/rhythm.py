"""Changes of when a player's clocks run: quiet hours, time zone, vacations.

They hold from now on. What has run has run as it did before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, time, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Player, Seat
from games.reckon.running_time import (
    LONGEST_QUIET,
    Rhythm,
    quiet_may_count_from,
    window_length,
)
from games.services import clock
from games.services.errors import Refused
from games.services.locks import again_on_deadlock, lock_games_of
from games.services.notices import queue

RHYTHM = ["time_zone", "quiet_from", "quiet_to", "quiet_counts_from"]


@contextmanager
def changing(player: Player, *, now: datetime, rescue: bool = False) -> Iterator[Rhythm]:
    """Change the rhythm inside; the deadlines of the player's games follow at the end.

    Yields the old rhythm. A clock that has run out already stays so, unless it is to be
    rescued: then it goes on with nothing left, and stands still if it may.
    """
    with transaction.atomic():
        games = lock_games_of(player)
        player.refresh_from_db(fields=RHYTHM)
        running = {
            seat.game_id: seat
            for seat in Seat.objects.filter(player=player, clock_since__isnull=False)
        }
        earliest = min(
            (seat.clock_since for seat in running.values() if seat.clock_since), default=now
        )
        before = clock.rhythm_of(player, since=min(earliest, now - timedelta(days=2)))
        yield before
        after = clock.rhythm_of(player, since=now)
        for game in games:
            seat = running.get(game.pk)
            if seat is None or game.deadline is None or (game.deadline <= now and not rescue):
                continue
            seat.player = player
            left = clock.left_of(seat, before, now)
            game.deadline = clock.set_again(seat, left=left, rhythm=after, now=now)
            game.save(update_fields=["deadline"])
            queue.set_reminders(game, seat, after, now)


@again_on_deadlock
@transaction.atomic
def change_quiet_hours(*, player: Player, quiet: tuple[time, time] | None, now: datetime) -> None:
    check_quiet_hours(quiet)
    with changing(player, now=now) as before:
        player.quiet_counts_from = quiet_may_count_from(before, now)
        player.quiet_from, player.quiet_to = quiet or (None, None)
        player.save(update_fields=["quiet_counts_from", "quiet_from", "quiet_to"])
    queue.follow_wishes(player=player, now=now)


def check_quiet_hours(quiet: tuple[time, time] | None) -> None:
    if quiet and not timedelta() < window_length(quiet) <= LONGEST_QUIET:
        raise Refused(_("Quiet hours can last up to ten hours a day."))


@again_on_deadlock
@transaction.atomic
def change_time_zone(*, player: Player, time_zone: str, now: datetime) -> None:
    with changing(player, now=now) as before:
        player.quiet_counts_from = quiet_may_count_from(before, now)
        player.time_zone = time_zone
        player.save(update_fields=["quiet_counts_from", "time_zone"])
    queue.follow_wishes(player=player, now=now)
