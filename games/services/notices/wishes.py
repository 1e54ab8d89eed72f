"""What a player wants to be told, and when a mail may come."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from enum import Enum

from django.conf import settings

from games.models import Notice, Player, Seat
from games.reckon.running_time import after_quiet_hours
from games.selectors.clock import zone_of
from games.services.clock import nights_of

Kind = Notice.Kind

REMINDERS = (Kind.HALF, Kind.LAST)
ABOUT_A_TURN = (Kind.TURN, *REMINDERS)
# Somebody who is playing right now, or talking, needs no mail about it.
PATIENT = (Kind.TURN, Kind.MESSAGE)


class Delivery(Enum):
    SOON = "soon"
    DIGEST = "digest"
    NEVER = "never"


def delivery(player: Player, seat: Seat | None, kind: str) -> Delivery:
    """How this player wants a notice of this kind, in general or for the game of this seat."""
    if kind in (Kind.ADDRESS, Kind.DIGEST):
        return Delivery.SOON
    if not player.email or not player.is_active or player.is_guest:
        return Delivery.NEVER
    if seat and (seat.mail == Seat.Mail.NONE or (seat.stand_in_id and kind in ABOUT_A_TURN)):
        return Delivery.NEVER
    if kind in REMINDERS and not player.reminders:
        return Delivery.NEVER
    if seat and seat.mail == Seat.Mail.EACH:
        return Delivery.SOON
    return {
        Player.Mail.EACH: Delivery.SOON,
        Player.Mail.DIGEST: Delivery.DIGEST,
        Player.Mail.NONE: Delivery.NEVER,
    }[Player.Mail(player.mail)]


def soon(player: Player, kind: str, now: datetime) -> datetime:
    """When a mail of this kind may go out: after a while, and not in the quiet hours."""
    if kind == Kind.ADDRESS:
        return now
    due = now + settings.TURN_MAIL_DELAY if kind in PATIENT else now
    return out_of_quiet_hours(player, due)


def out_of_quiet_hours(player: Player, at: datetime) -> datetime:
    return after_quiet_hours(nights_of(player), at)


def next_digest(player: Player, now: datetime) -> datetime:
    """The next time it is the player's chosen hour, or the end of quiet hours that hide it."""
    zone = zone_of(player)
    day = now.astimezone(zone).date()
    while True:
        wall = datetime.combine(day, time(player.digest_hour), zone)
        due = wall.astimezone(UTC)
        if due > now:
            return out_of_quiet_hours(player, due)
        day += timedelta(days=1)
