"""Addresses to which mail is pointless, and those that are trusted again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from games.models import Bounce, Notice, Player
from games.services.notices.wishes import ABOUT_A_TURN

State = Notice.State


def give_up(*, address: str, reason: str, now: datetime) -> None:
    """No more mail goes there, except what its owner asks for in so many words."""
    Player.objects.filter(email__iexact=address).update(
        refused_address=F("email"), refused_reason=reason[:500], refused_at=now
    )


@transaction.atomic
def trust_again(*, players: QuerySet[Player], now: datetime) -> int:
    """Write to these players again, and tell at once what they missed and is still true."""
    refused = list(players.exclude(refused_address="").values_list("pk", "refused_address"))
    keys = [key for key, _ in refused]
    Player.objects.filter(pk__in=keys).update(
        refused_address="", refused_reason="", refused_at=None
    )
    Bounce.objects.filter(address__in=[address.lower() for _, address in refused]).delete()
    missed = Notice.objects.filter(
        player__in=keys,
        kind__in=ABOUT_A_TURN,
        state=State.FAILED,
        game__to_act__player=F("player"),
    )
    missed.update(state=State.QUEUED, due_at=now, attempts=0, last_error="")
    return len(keys)


def trust_those_refused_since(since: datetime, *, now: datetime) -> int:
    return trust_again(players=Player.objects.filter(refused_at__gte=since), now=now)
