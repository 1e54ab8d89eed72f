"""What players report to the moderators."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Message, Player, Report
from games.services import limits
from games.services.errors import Refused
from games.services.moderation import log

TEXT_LENGTH = Report._meta.get_field("text").max_length or 0


@transaction.atomic
def report(
    *,
    reporter: Player,
    player: Player,
    text: str,
    now: datetime,
    message: Message | None = None,
    network: str = "",
) -> Report:
    """Once for each player or message, until somebody has looked at it."""
    if reporter.is_guest:
        raise Refused(_("Sign up to report somebody."))
    is_gone = player.deleted_at and message is None
    if player.pk == reporter.pk or player.bot_level or player.is_guest or is_gone:
        raise Refused(_("There is nobody to report."))
    text = " ".join(text.split())
    if not text:
        raise Refused(_("Say what is wrong."))
    if "\0" in text or len(text) > TEXT_LENGTH:
        raise Refused(_("A report has at most %(count)d characters.") % {"count": TEXT_LENGTH})
    limits.spend("report", now=now, sender=reporter.pk, network=network)
    return Report.objects.get_or_create(
        reporter=reporter,
        player=player,
        message=message,
        closed_at=None,
        defaults={"text": text, "at": now},
    )[0]


@transaction.atomic
def close(*, moderator: Player, report_id: int, now: datetime) -> None:
    """A moderator has looked at it, and nothing has to be done."""
    log.must_moderate(moderator)
    waiting = Report.objects.filter(pk=report_id, closed_at=None)
    waiting.update(closed_at=now, closed_by=moderator)
