"""Guests: people who play against bots before they have an account.

A guest is a player whose number is kept in the session. Signing up turns that very player into
an account, games and all; signing in to an account that exists takes the games in play along.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction

from games.models import GUEST_PREFIX, Game, Player, Seat


def welcome_guest(*, now: datetime) -> Player:
    return back_to_guest(Player(date_joined=now))


def back_to_guest(player: Player) -> Player:
    """Somebody without name, address and password."""
    player.username = GUEST_PREFIX + secrets.token_hex(8)
    player.is_guest = True
    player.email = player.display_name = ""
    player.invited_by = None
    player.set_unusable_password()
    player.save()
    return player


def ready_to_sign_up(guest: Player, *, now: datetime) -> Player:
    """The same player without what an earlier, unfinished sign-up left behind."""
    EmailAddress.objects.filter(user=guest).delete()
    guest.date_joined = now
    return guest


@transaction.atomic
def come_in(*, player: Player, guest: Player | None) -> None:
    """Somebody signed in with a proven address: a guest no more, and with the games of one."""
    if player.is_guest:
        player.is_guest = False
        player.save(update_fields=["is_guest"])
    if guest and guest.pk != player.pk:
        _move_games(guest, player)


def forget_old_guests(*, now: datetime) -> int:
    """Drops the games that nobody can come back to, then the guests who are left without any.

    A finished game stays: it is part of the numbers, and names nobody.
    """
    gone = now - settings.GUESTS_KEPT
    guests = Player.objects.filter(is_guest=True, date_joined__lt=gone)
    Game.objects.filter(creator__in=guests, status=Game.Status.RUNNING, acted_at__lt=gone).delete()
    forgotten = guests.filter(seats=None, games_created=None)
    count = forgotten.count()
    forgotten.delete()
    return count


def _move_games(guest: Player, player: Player) -> None:
    """Only what is in play: a finished game has been counted for who played it."""
    games = Game.objects.select_for_update().filter(creator=guest, status=Game.Status.RUNNING)
    numbers = [game.pk for game in games.order_by("pk")]
    Seat.objects.filter(player=guest, game__in=numbers).update(player=player)
    Game.objects.filter(pk__in=numbers).update(creator=player)
