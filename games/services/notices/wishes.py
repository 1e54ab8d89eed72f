"""What a player wants to be told, and when a mail may come."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from enum import Enum

from django.conf import settings
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from games.models import Game, Notice, Player, Seat
from games.reckon.running_time import after_quiet_hours
from games.selectors.clock import zone_of
from games.selectors.silence import SILENT_AFTER
from games.services.clock import nights_of

Kind = Notice.Kind

WITHOUT_CLOCK = {
    Kind.AFTER_3: timedelta(days=3),
    Kind.AFTER_7: timedelta(days=7),
    Kind.GO_ON: SILENT_AFTER - timedelta(days=2),
}
"""Reminders in a game without a clock, and how long after the last move they come."""
REMINDERS = (Kind.HALF, Kind.LAST, *WITHOUT_CLOCK)
ABOUT_A_TURN = (Kind.TURN, *REMINDERS)
# Somebody who is playing right now, or talking, needs no mail about it.
PATIENT = (Kind.TURN, Kind.MESSAGE)
HOOKED = (Kind.TURN, Kind.OVER)
"""What webhooks are told."""
OF_WHAT_ENDED = (Kind.OVER, Kind.SEAT_LOST)
"""What whoever is suspended is still told: all else asks for something that they cannot do."""


class Way(TextChoices):
    """How a kind of notice comes."""

    UNLESS = "unless", _("Devices, then mail if unseen")
    BOTH = "both", _("Devices and mail")
    PUSH = "push", _("Devices only")
    MAIL = "mail", _("Mail only")
    NONE = "none", _("Not at all")


GROUPS: dict[str, tuple[str, ...]] = {
    "turn": (Kind.TURN,),
    "reminder": REMINDERS,
    "game": (Kind.STARTED, Kind.OVER, Kind.SEAT_LOST, Kind.VACATION),
    "invitation": (Kind.INVITATION, Kind.DECLINED, Kind.EXPIRED),
    "message": (Kind.MESSAGE,),
}
"""What is chosen together."""
_GROUP_OF = {kind: group for group, kinds in GROUPS.items() for kind in kinds}
SHOWN_BY_LOOKING = (Kind.TURN, Kind.HALF, Kind.OVER)


class Delivery(Enum):
    SOON = "soon"
    DIGEST = "digest"
    NEVER = "never"


def may_be_told(player: Player, kind: str, now: datetime) -> bool:
    return kind in OF_WHAT_ENDED or not player.is_suspended(now)


def way_of(player: Player, kind: str) -> str:
    """As chosen; devices that are gone make mail of what was for them alone."""
    if kind == Kind.PUZZLE:
        return Way.MAIL
    chosen = (player.channels or {}).get(_GROUP_OF.get(kind, ""), Way.UNLESS)
    if player.has_device or chosen == Way.NONE:
        return str(chosen)
    return Way.MAIL


def by_push(player: Player, seat: Seat | None, kind: str) -> bool:
    """Whether the devices of this player are told."""
    if not player.has_device or not player.is_active:
        return False
    if seat and (seat.mail == Seat.Mail.NONE or (seat.stand_in_id and kind in ABOUT_A_TURN)):
        return False
    if kind in REMINDERS and not player.reminders:
        return False
    return way_of(player, kind) in (Way.UNLESS, Way.BOTH, Way.PUSH)


def push_time(
    player: Player, seat: Seat | None, kind: str, game: Game | None, at: datetime
) -> datetime | None:
    """When devices and webhooks are told, if there is any to be told."""
    hooked = kind in HOOKED and (player.has_webhook or bool(game and game.has_webhook))
    if player.bot_level or not (hooked or by_push(player, seat, kind)):
        return None
    # A webhook of a table is nobody's bedroom; a device waits for the morning when it is sent.
    return at if hooked else out_of_quiet_hours(player, at)


def has_looked(notice: Notice, seat: Seat | None) -> bool:
    """Whether a mail is needless: the devices were told, and the player has looked since."""
    return (
        seat is not None
        and notice.kind in SHOWN_BY_LOOKING
        and 0 < notice.move_number <= seat.seen_moves
        and way_of(seat.player, notice.kind) == Way.UNLESS
    )


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
    if kind == Kind.PUZZLE and not player.puzzle_mail:
        return Delivery.NEVER
    if way_of(player, kind) in (Way.PUSH, Way.NONE):
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
    if way_of(player, kind) == Way.UNLESS:
        # Devices wait for the end of quiet hours, and only then there is time to look.
        due = max(due, out_of_quiet_hours(player, now) + settings.MAIL_AFTER_PUSH)
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
