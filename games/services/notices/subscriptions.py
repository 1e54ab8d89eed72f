"""What a player tells us about the mail that is wanted."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from games.models import Game, Move, Notice, Player, Seat
from games.services.locks import again_on_deadlock, lock_games_of
from games.services.notices import queue
from games.services.notices.wishes import GROUPS, Way


@again_on_deadlock
@transaction.atomic
def change_wishes(
    *, player: Player, mail: str, digest_hour: int, reminders: bool, now: datetime
) -> None:
    lock_games_of(player)
    player.mail, player.digest_hour, player.reminders = mail, digest_hour, reminders
    player.save(update_fields=["mail", "digest_hour", "reminders"])
    queue.follow_wishes(player=player, now=now)
    _tell_what_waits(player, now)


@transaction.atomic
def wish_for_puzzles(*, player: Player, wanted: bool) -> None:
    """A puzzle by mail every day, or none any more."""
    player.puzzle_mail = wanted
    player.save(update_fields=["puzzle_mail"])
    if not wanted:
        unsent = Notice.objects.filter(player=player, kind=Notice.Kind.PUZZLE)
        unsent.filter(state=Notice.State.QUEUED).update(state=Notice.State.WITHDRAWN)


@again_on_deadlock
@transaction.atomic
def choose_ways(*, player: Player, ways: Mapping[str, str], now: datetime) -> None:
    """By which way each kind of notice comes; what is queued follows."""
    lock_games_of(player)
    player.channels = {group: Way(ways[group]).value for group in GROUPS}
    player.save(update_fields=["channels"])
    queue.follow_wishes(player=player, now=now)
    _tell_what_waits(player, now)


@again_on_deadlock
@transaction.atomic
def change_game_wish(*, seat: Seat, mail: str, now: datetime) -> None:
    lock_games_of(seat.player)
    seat.mail = mail
    seat.save(update_fields=["mail"])
    queue.follow_wishes(player=seat.player, now=now)
    _tell_what_waits(seat.player, now)


@again_on_deadlock
@transaction.atomic
def follow_devices(*, player: Player, now: datetime) -> None:
    """The last device is gone: a turn that was told there alone, and is still on, comes by mail,
    and so does the last reminder of it. Or the first one is there, and is reminded from now on."""
    if player.devices.count() > 1:
        return
    lock_games_of(player)
    player.refresh_from_db(fields=["has_device"])
    if player.has_device:
        queue.renew_reminders(player=player, now=now)
        return
    told = Notice.objects.filter(player=player, kind__in=[Notice.Kind.TURN, Notice.Kind.LAST])
    told = told.filter(state=Notice.State.ELSEWHERE, game__to_act__player=player)
    told.update(state=Notice.State.QUEUED)
    queue.follow_wishes(player=player, now=now)


def _tell_what_waits(player: Player, now: datetime) -> None:
    """Turns that nobody wrote a notice of, because the player wanted none when they began."""
    others = Move.objects.filter(game=OuterRef("pk")).exclude(seat=OuterRef("to_act__number"))
    waiting = Game.objects.filter(status=Game.Status.RUNNING, to_act__player=player).annotate(
        began=Coalesce(Subquery(others.order_by("-number").values("number")[:1]), 0)
    )
    for game in waiting.select_related("to_act__player"):
        told = game.notices.filter(
            player=player, kind=Notice.Kind.TURN, move_number__gte=game.began
        )
        if game.to_act and not told.exists():
            queue.turn_waits(game=game, seat=game.to_act, now=now)


def turn_off(
    *, player: Player, seat: Seat | None, now: datetime, only_puzzles: bool = False
) -> None:
    """No more mail about one game, no more puzzles, or nothing at all."""
    if only_puzzles:
        wish_for_puzzles(player=player, wanted=False)
    elif seat:
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
