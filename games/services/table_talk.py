"""What players write and leave at a table beside their moves."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from games import bell
from games.models import Game, Message, Player, Seat
from games.moments import moment
from games.services import limits
from games.services.errors import Refused
from games.services.notices import queue

LINE_LENGTH = Message._meta.get_field("text").max_length or 0
NOTES_LENGTH = Seat._meta.get_field("notes").max_length or 0
LINES_A_MINUTE = 10


@transaction.atomic
def post_message(*, game: Game, player: Player, text: str, now: datetime) -> Message:
    """Say something at the own table."""
    _own_seat(game, player)
    if player.is_guest:
        raise Refused(_("Sign up to talk at the table."))
    if player.muted_until and player.is_muted(now):
        raise Refused(
            _("You cannot write at tables until %(day)s, by decision of the moderators.")
            % {"day": moment(player.muted_until, "long day")}
        )
    text = " ".join(text.split())
    if not text:
        raise Refused(_("There is nothing to send."))
    if "\0" in text or len(text) > LINE_LENGTH:
        raise Refused(_("A message has at most %(count)d characters.") % {"count": LINE_LENGTH})
    a_minute_ago = now - timedelta(minutes=1)
    if game.messages.filter(player=player, at__gt=a_minute_ago).count() >= LINES_A_MINUTE:
        raise Refused(_("That was a lot at once. Wait a minute."))
    limits.spend("message", now=now, sender=player.pk)
    message = Message.objects.create(game=game, player=player, text=text, at=now)
    queue.message_posted(message=message, now=now)
    bell.game_changed(game, ())
    return message


def keep_notes(*, game: Game, player: Player, text: str) -> None:
    """Private notes: for the eyes of this player only."""
    if "\0" in text or len(text) > NOTES_LENGTH:
        raise Refused(_("Notes have at most %(count)d characters.") % {"count": NOTES_LENGTH})
    seat = _own_seat(game, player)
    seat.notes = text
    seat.save(update_fields=["notes"])


def star(*, game: Game, player: Player, now: datetime) -> bool:
    """A game to keep, or to keep no more; whether it has its star now."""
    seat = _own_seat(game, player)
    seat.starred_at = None if seat.starred_at else now
    seat.save(update_fields=["starred_at"])
    return seat.starred_at is not None


def look(*, seat: Seat, move_count: int) -> None:
    """Remember what this player has seen; never less than before."""
    if seat.seen_moves < move_count:
        Seat.objects.filter(pk=seat.pk, seen_moves__lt=move_count).update(seen_moves=move_count)
    elif not move_count:
        queue.first_turn_seen(seat=seat)


def _own_seat(game: Game, player: Player) -> Seat:
    seat = game.seats.filter(player=player).first()
    if seat is None:
        raise Refused(_("Only the players of this table can do that."))
    if game.started_at is None:
        raise Refused(_("This game has not started yet."))
    return seat
