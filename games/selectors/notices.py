"""What is known about mail: for calendars, for operators."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Game, Notice, Player

STUCK_AFTER = timedelta(minutes=10)


def stuck(now: datetime) -> QuerySet[Notice]:
    """What an operator should look at: failed, or due for a while and still not sent."""
    State = Notice.State  # noqa: N806
    return Notice.objects.filter(
        Q(state=State.FAILED)
        | Q(state__in=[State.QUEUED, State.SENDING], due_at__lt=now - STUCK_AFTER)
        | Q(state=State.QUEUED, attempts__gt=1)
    )


def deadlines_of(player: Player) -> list[Game]:
    """The games in which this player's clock runs, soonest first."""
    waiting = Game.objects.filter(to_act__player=player, deadline__isnull=False)
    return list(waiting.prefetch_related("seats__player").order_by("deadline"))


def owner_of_calendar(token: str) -> Player | None:
    return Player.objects.filter(calendar_token=token, is_active=True).first()
