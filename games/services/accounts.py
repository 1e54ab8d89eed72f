"""Changes to an account, up to its end."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from games.models import (
    GONE_PREFIX,
    Act,
    Block,
    Bond,
    Bounce,
    Device,
    Game,
    Invitation,
    NameKey,
    Notice,
    Player,
    PuzzleAnswer,
    Report,
    Seat,
    SharedYear,
    Standing,
    Vacation,
    Webhook,
)
from games.reckon.likeness import likeness
from games.security_log import note_on_commit
from games.selectors.accounts import time_zones
from games.selectors.players import names_without_key
from games.services import guests, lobby, play, rhythm
from games.services.errors import Refused
from games.services.locks import again_on_deadlock
from games.services.revocation import revoke_access

LEFT_LYING = timedelta(hours=1)
SETTINGS = frozenset(
    {"display_name", "language", "time_zone", "theme", "confirm_moves", "moves_on"}
)

FORGOTTEN = (
    *("email", "display_name", "language", "time_zone", "theme", "confirm_moves", "last_login"),
    *("mail", "digest_hour", "reminders", "quiet_from", "quiet_to", "quiet_counts_from"),
    *("auto_vacation", "calendar_token", "refused_address", "refused_reason", "refused_at"),
    *("moves_on", "lessons", "bot_level", "is_guest", "likeness", "moderated_at"),
    *("muted_until", "suspended_at", "suspended_until"),
    *("channels", "has_device", "has_webhook", "puzzle_mail", "link_counter", "invited_by"),
)


def keep_lesson(*, player: Player, key: str, number: int) -> None:
    """A scene of a tutorial was played to its end; the furthest one counts."""
    player.lessons = {**(player.lessons or {}), key: number}
    player.save(update_fields=["lessons"])


@transaction.atomic
def change_settings(*, player: Player, changes: Mapping[str, object], now: datetime) -> None:
    """Stores what the player chose; the forms have seen to it that it makes sense."""
    if unknown := set(changes) - SETTINGS:
        raise ValueError(f"not settings of a player: {', '.join(sorted(unknown))}")
    zone = changes.get("time_zone")
    if isinstance(zone, str) and zone != player.time_zone:
        # Quiet hours move with the player, and so do deadlines.
        rhythm.change_time_zone(player=player, time_zone=zone, now=now)
    for name, value in changes.items():
        setattr(player, name, value)
    try:
        with transaction.atomic():
            player.save(update_fields=[*changes])
    except IntegrityError:  # taken by somebody else since it was checked
        raise Refused(_("This name is taken.")) from None


def remember_guessed_time_zone(*, player: Player, guess: str, now: datetime) -> None:
    """Takes the browser's word for it until the player chooses."""
    if not player.time_zone and guess in time_zones():
        rhythm.change_time_zone(player=player, time_zone=guess, now=now)


@again_on_deadlock
@transaction.atomic
def sign_out_everywhere(*, player: Player, now: datetime) -> None:
    """End all sessions, and what was added in them. In one transaction: see services.sessions."""
    revoke_access(player=player, now=now)
    _end_sessions(player)
    note_on_commit("sign_out_everywhere", player=player.pk)


@again_on_deadlock
@transaction.atomic
def sign_out_elsewhere(
    *, player: Player, sessions: Iterable[UserSession], keep_device_of: str, now: datetime
) -> None:
    """End these sessions of the player: all but the present one, whose device stays."""
    revoke_access(player=player, now=now, keep_device_of=keep_device_of)
    for place in sessions:
        place.end()
    note_on_commit("sign_out_elsewhere", player=player.pk)


def _end_sessions(player: Player) -> None:
    for place in UserSession.objects.filter(user=player):
        place.end()


def change_password(
    *, player: Player, password: str, now: datetime, keep_device_of: str = ""
) -> None:
    player.set_password(password)  # takes a moment, so before anything is locked
    _store_password(player, keep_device_of, now)


@again_on_deadlock
@transaction.atomic
def _store_password(player: Player, keep_device_of: str, now: datetime) -> None:
    revoke_access(player=player, now=now, keep_device_of=keep_device_of)
    player.save(update_fields=["password"])


@transaction.atomic
def delete_account(*, player: Player, now: datetime) -> None:
    """Leaves every table, forgets the person, and keeps the games of the others whole."""
    # Tables in order and before their players, as everywhere: whoever else locks them waits.
    for seat in Seat.objects.filter(player=player).select_related("game").order_by("game_id"):
        _leave(seat, player, now)
    _forget(Player.objects.select_for_update(no_key=True).get(pk=player.pk), now)


def _leave(seat: Seat, player: Player, now: datetime) -> None:
    game = seat.game
    if game.status == Game.Status.RUNNING and not seat.left_by:
        play.resign(game_id=game.pk, player=player, now=now)
    elif game.status == Game.Status.OPEN:
        leave = lobby.cancel_game if game.creator_id == player.pk else lobby.leave_game
        leave(game_id=game.pk, player=player, now=now)


def _forget(player: Player, now: datetime) -> None:
    addresses = EmailAddress.objects.filter(user=player)
    tried = {player.username.casefold(), player.email.casefold()}
    tried.update(address.email.casefold() for address in addresses)
    AccessAttempt.objects.filter(username__in=tried - {""}).delete()
    _end_sessions(player)
    written_to = {player.email, *addresses.values_list("email", flat=True)} - {""}
    addresses.delete()
    Seat.objects.filter(player=player).update(notes="", starred_at=None, mail=Seat.Mail.DEFAULT)
    Block.objects.filter(blocker=player).delete()
    Block.objects.filter(blocked=player).delete()
    Invitation.objects.filter(player=player).delete()
    Notice.objects.filter(player=player).delete()
    Notice.objects.filter(address__in=written_to).delete()
    Bounce.objects.filter(address__in=tried).delete()
    Vacation.objects.filter(player=player).delete()
    # A line that was reported is still at its table.
    Report.objects.filter(Q(reporter=player) | Q(player=player, message=None)).delete()
    Act._base_manager.filter(player=player).update(was="")
    Device.objects.filter(player=player).delete()
    PuzzleAnswer.objects.filter(player=player).delete()
    SharedYear.objects.filter(player=player).delete()
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk)
    ).update(object_repr="")
    Bond.objects.filter(Q(low=player) | Q(high=player)).delete()
    Webhook.objects.filter(owner=player).delete()
    Authenticator.objects.filter(user=player).delete()
    player.groups.clear()
    player.user_permissions.clear()

    player.username = GONE_PREFIX + secrets.token_hex(8)
    player.set_unusable_password()
    player.is_active = player.is_staff = player.is_superuser = False
    player.deleted_at = now
    Standing.objects.filter(player=player).delete()
    nobody = Player()
    for name in FORGOTTEN:
        setattr(player, name, getattr(nobody, name))
    player.save()
    note_on_commit("account_deleted", player=player.pk)


def give_free_keys() -> None:
    """To names that nobody else's look like any more, and to those that the code of an earlier
    release wrote while this one was rolled in."""
    for player, name in names_without_key():
        key = NameKey(key=likeness(name), player=player)
        NameKey.objects.bulk_create([key], ignore_conflicts=True)


def forget_unfinished_sign_ups(*, now: datetime) -> int:
    """Gives back the names of those who never confirmed an address and never came in."""
    return _forget_unfinished(Player.objects.all(), since=now - settings.SIGN_UPS_KEPT)


def release_name(*, name: str, now: datetime) -> None:
    """Somebody asks for the name of a sign-up that has been left lying, or for one that looks
    like it: there it goes."""
    alike = Q(folded=name.lower()) | Q(name_keys__key=likeness(name))
    held = Player.objects.filter(
        pk__in=Player.objects.alias(folded=Lower("username")).filter(alike).values("pk")
    )
    _forget_unfinished(held, since=now - LEFT_LYING)


@transaction.atomic
def _forget_unfinished(players: QuerySet[Player], *, since: datetime) -> int:
    """Whoever has played goes on as the guest they were before they tried."""
    claims = EmailAddress.objects.filter(user=OuterRef("pk"))
    unfinished = players.filter(
        Exists(claims),
        ~Exists(claims.filter(verified=True)),
        last_login=None,
        date_joined__lt=since,
        is_staff=False,
    )
    count = unfinished.count()
    played = Seat.objects.filter(player=OuterRef("pk"))
    for guest in unfinished.filter(Exists(played) | Q(is_guest=True)):
        EmailAddress.objects.filter(user=guest).delete()
        guests.back_to_guest(guest)
    unfinished.delete()
    return count
