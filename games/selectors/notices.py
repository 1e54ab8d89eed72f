"""What is known about mail: for the table, for calendars, for operators."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Game, Notice, Player

TURN_KINDS = (Notice.Kind.TURN, Notice.Kind.HALF, Notice.Kind.LAST)
STUCK_AFTER = timedelta(minutes=10)


def was_told(game: Game) -> bool:
    """Whether whoever is to act has been told by mail; others learn no more than that."""
    if game.to_act is None:
        return False
    latest = Notice.objects.filter(
        game=game, player=game.to_act.player_id, kind__in=TURN_KINDS
    ).order_by("-move_number", "-pk")
    told = list(latest.values_list("move_number", "state")[: len(TURN_KINDS)])
    # The newest are about the turn that is on; older ones are about turns that are over.
    return any(number == told[0][0] and state == Notice.State.SENT for number, state in told)


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
