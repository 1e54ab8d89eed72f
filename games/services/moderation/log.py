"""The moderators' log: who may write in it, and the one place where that is done."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.utils.translation import gettext as _

from games import bell
from games.models import Act, Game, Message, Player, Report
from games.security_log import note_on_commit
from games.selectors import access
from games.services.errors import Refused
from games.services.moderation import letters

REASON_LENGTH = Act._meta.get_field("reason").max_length or 0


class NotAllowed(Refused):
    """Whoever asked is no moderator, or must not judge this."""


def must_moderate(moderator: Player, *, over: Player | None = None) -> None:
    """Refuse those who may not: the one gate of all acts."""
    if not access.may_moderate(moderator):
        raise NotAllowed(_("Only moderators can do that."))
    if over is None:
        return
    if over.pk == moderator.pk:
        raise NotAllowed(_("Nobody is their own judge: ask another moderator."))
    if over.is_staff and not moderator.is_superuser:
        raise NotAllowed(_("Only the operator of the site can do that to somebody of the staff."))


def must_moderate_player(moderator: Player, player: Player) -> None:
    must_moderate(moderator, over=player)
    if player.bot_level or player.is_guest or player.deleted_at:
        raise NotAllowed(_("That can only be done to somebody who has an account."))


def must_be_no_party(moderator: Player, game: Game) -> None:
    must_moderate(moderator)
    if moderator.pk in access.seated(game):
        raise NotAllowed(_("You sit at this table: ask another moderator."))


def checked(reason: str) -> str:
    """The reason as one line, or the sentence why it cannot be one."""
    reason = " ".join(reason.split())
    if not reason:
        raise Refused(_("Say why: whom it concerns will read it."))
    if "\0" in reason or len(reason) > REASON_LENGTH:
        raise Refused(_("A reason has at most %(count)d characters.") % {"count": REASON_LENGTH})
    return reason


def write(act: Act, *, tell: Iterable[Player]) -> Act:
    """Add a line to the log, in the transaction of what it says, and tell whom it concerns.

    What was reported is dealt with by whatever is done about it.
    """
    act.reason = checked(act.reason)
    act.save(force_insert=True)
    note_on_commit("moderation", player=act.player_id, actor=act.actor_id, act=act.kind)
    told = [player for player in tell if not (player.bot_level or player.is_guest)]
    Player.objects.filter(pk__in=[player.pk for player in told]).update(moderated_at=act.at)
    letters.send(act, told)
    if act.player:
        waiting = Report.objects.filter(player=act.player, closed_at=None)
        if act.message:
            waiting = waiting.filter(message=act.message)
        waiting.filter(at__lte=act.at).update(closed_at=act.at, closed_by=act.actor)
    return act


def announce(act: Act, event: Message.Event, *, about: Player) -> None:
    """A line at the table: everybody there sees it, and open pages fetch what has changed."""
    assert act.game
    Message.objects.create(game=act.game, player=about, event=event, at=act.at)
    bell.game_changed(act.game)


def now_or_later(game: Game, now: datetime) -> datetime:
    """Hosts whose clocks differ must not turn back the time of a game."""
    return max(now, game.acted_at or now)
