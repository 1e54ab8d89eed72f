"""What is done to what somebody wrote."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Act, Message, Player
from games.services.errors import Refused
from games.services.moderation import log


@transaction.atomic
def hide(*, moderator: Player, message_id: int, reason: str, now: datetime) -> Act:
    """Nobody reads it any more, on any page, in any mail, in any export; nor when whoever wrote
    it is gone."""
    log.must_moderate(moderator)
    message = (
        Message.objects.select_for_update(of=("self",))
        .select_related("game", "player")
        .get(pk=message_id)
    )
    log.must_moderate(moderator, over=message.player)
    if message.event or message.hidden_at:
        raise Refused(_("There is nothing to hide any more."))
    message.hidden_at = now
    message.save(update_fields=["hidden_at"])
    act = Act(
        kind=Act.Kind.HIDE,
        actor=moderator,
        player=message.player,
        game=message.game,
        message=message,
        reason=reason,
        at=now,
    )
    log.write(act, tell=[message.player])
    log.announce(act, Message.Event.HIDDEN, about=message.player)
    return act
