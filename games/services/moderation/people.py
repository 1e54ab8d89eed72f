"""What is done to players."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import Act, Game, Player
from games.services import lobby
from games.services.accounts import sign_out_everywhere
from games.services.errors import Refused
from games.services.locks import again_on_deadlock, lock_games_of
from games.services.moderation import log
from games.services.notices import trust

Kind = Act.Kind


@transaction.atomic
def warn(*, moderator: Player, player: Player, reason: str, now: datetime) -> Act:
    log.must_moderate_player(moderator, player)
    return _note(Kind.WARN, moderator, player, reason, now)


@transaction.atomic
def mute(*, moderator: Player, player: Player, until: datetime, reason: str, now: datetime) -> Act:
    """No more lines in any chat, until then."""
    log.must_moderate_player(moderator, player)
    _must_be_ahead(until, now)
    player.muted_until = until
    player.save(update_fields=["muted_until"])
    return _note(Kind.MUTE, moderator, player, reason, now, until=until)


@transaction.atomic
def unmute(*, moderator: Player, player: Player, reason: str, now: datetime) -> Act:
    log.must_moderate_player(moderator, player)
    if not player.is_muted(now):
        raise Refused(_("%(name)s is not muted.") % {"name": player})
    player.muted_until = None
    player.save(update_fields=["muted_until"])
    return _note(Kind.UNMUTE, moderator, player, reason, now)


@again_on_deadlock
@transaction.atomic
def suspend(
    *, moderator: Player, player: Player, until: datetime | None, reason: str, now: datetime
) -> Act:
    """Neither sign in nor play, until then or until further notice.

    Games that have begun go on by the rules of their tables: the clock runs on, and when it is
    down the seat leaves or a bot stands in. What has not begun goes on without the player.
    """
    log.must_moderate_player(moderator, player)
    if until:
        _must_be_ahead(until, now)
    for game in lock_games_of(player):
        if game.status == Game.Status.OPEN:
            leave = lobby.cancel_game if game.creator_id == player.pk else lobby.leave_game
            leave(game_id=game.pk, player=player, now=now)
    player.suspended_at, player.suspended_until = now, until
    player.save(update_fields=["suspended_at", "suspended_until"])
    sign_out_everywhere(player=player, now=now)
    return _note(Kind.SUSPEND, moderator, player, reason, now, until=until)


@transaction.atomic
def reinstate(*, moderator: Player, player: Player, reason: str, now: datetime) -> Act:
    log.must_moderate_player(moderator, player)
    if not player.is_suspended(now):
        raise Refused(_("%(name)s is not suspended.") % {"name": player})
    player.suspended_at = player.suspended_until = None
    player.save(update_fields=["suspended_at", "suspended_until"])
    return _note(Kind.REINSTATE, moderator, player, reason, now)


@transaction.atomic
def rename(*, moderator: Player, player: Player, name: str, reason: str, now: datetime) -> Act:
    """A new name, which the form has found good, instead of the name and of the one shown."""
    log.must_moderate_player(moderator, player)
    shown = player.display_name
    was = f"{shown} ({player.username})" if shown else player.username
    player.username, player.display_name = name, ""
    try:
        with transaction.atomic():
            player.save(update_fields=["username", "display_name"])
    except IntegrityError:
        raise Refused(_("This name is taken.")) from None
    return _note(Kind.RENAME, moderator, player, reason, now, was=was[:61])


@transaction.atomic
def trust_address(*, moderator: Player, player: Player, reason: str, now: datetime) -> Act:
    """Write again to an address that was given up."""
    log.must_moderate(moderator)
    if not trust.trust_again(players=Player.objects.filter(pk=player.pk), now=now):
        raise Refused(_("The address of %(name)s is not given up.") % {"name": player})
    player.refresh_from_db()
    return _note(Kind.TRUST, moderator, player, reason, now)


def _must_be_ahead(until: datetime, now: datetime) -> None:
    if until <= now:
        raise Refused(_("That moment is past already."))


def _note(
    kind: Act.Kind,
    moderator: Player,
    player: Player,
    reason: str,
    now: datetime,
    *,
    until: datetime | None = None,
    was: str = "",
) -> Act:
    act = Act(
        kind=kind, actor=moderator, player=player, reason=reason, until=until, was=was, at=now
    )
    return log.write(act, tell=[player])
