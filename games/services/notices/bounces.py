"""Mail that comes back, or is refused in doubtful words.

One such mail says little: servers have bad days. Several, over some days, say that nobody is
there. Whoever calls a mail of ours spam gets no more.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games.models import Bounce, Notice, Player
from games.services.notices import subscriptions, trust

log = logging.getLogger(__name__)

ENOUGH = 3
OVER = timedelta(days=2)
"""So many mails came back, and the first of them at least so long before the last."""
FORGOTTEN_AFTER = timedelta(days=30)


@transaction.atomic
def count(*, notice: Notice, address: str, reason: str, now: datetime) -> bool:
    """Note that a mail came back, once for each; whether its address is given up for it."""
    address = address.lower()
    _, is_new = Bounce.objects.get_or_create(
        notice=notice, defaults={"address": address, "reason": reason[:500], "at": now}
    )
    recent = Bounce.objects.filter(address=address, at__gt=now - FORGOTTEN_AFTER).order_by("at")
    times = list(recent.values_list("at", flat=True))
    proven = len(times) >= ENOUGH and times[-1] - times[0] >= OVER
    # Who asks for a test asks this very question.
    if not is_new or not (proven or notice.kind == Notice.Kind.ADDRESS):
        return False
    trust.give_up(address=address, reason=reason, now=now)
    return True


def complained(*, notice: Notice, now: datetime) -> None:
    """The reader told the provider that our mail is spam: that is a way to say no."""
    address = notice.address or notice.reader.email
    for player in Player.objects.filter(email__iexact=address):
        log.warning("player %s complained of notice %s: no more mail", player.pk, notice.pk)
        subscriptions.turn_off(player=player, seat=None, now=now)


def forget_old(*, now: datetime) -> int:
    return Bounce.objects.filter(at__lt=now - FORGOTTEN_AFTER).delete()[0]
