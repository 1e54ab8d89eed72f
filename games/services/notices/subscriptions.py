"""What a player tells us about the mail that is wanted."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import transaction

from games.models import Player, Seat
from games.services.locks import again_on_deadlock, lock_games_of
from games.services.notices import queue


@again_on_deadlock
@transaction.atomic
def change_wishes(
    *, player: Player, mail: str, digest_hour: int, reminders: bool, now: datetime
) -> None:
    lock_games_of(player)
    player.mail, player.digest_hour, player.reminders = mail, digest_hour, reminders
    player.save(update_fields=["mail", "digest_hour", "reminders"])
    queue.follow_wishes(player=player, now=now)


@again_on_deadlock
@transaction.atomic
def change_game_wish(*, seat: Seat, mail: str, now: datetime) -> None:
    lock_games_of(seat.player)
    seat.mail = mail
    seat.save(update_fields=["mail"])
    queue.follow_wishes(player=seat.player, now=now)


def turn_off(*, player: Player, seat: Seat | None, now: datetime) -> None:
    """No more mail about one game, or none at all."""
    if seat:
        change_game_wish(seat=seat, mail=Seat.Mail.NONE, now=now)
    else:
        change_wishes(
            player=player,
            mail=Player.Mail.NONE,
            digest_hour=player.digest_hour,
            reminders=False,
            now=now,
        )


def renew_calendar(*, player: Player) -> None:
    """A new secret address for the calendar; the old one is dead."""
    player.calendar_token = secrets.token_urlsafe(32)
    player.save(update_fields=["calendar_token"])
