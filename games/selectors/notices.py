"""What is known about mail: for calendars, for operators."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Breaker, Game, Message, Notice, Player
from games.selectors.table import heard_by

STUCK_AFTER = timedelta(minutes=10)
SOON_ENOUGH = timedelta(minutes=1)
"""For a mail that somebody waits for in front of a page."""


def stuck(now: datetime) -> QuerySet[Notice]:
    """What an operator should look at: failed, or due for a while and still not sent."""
    State = Notice.State  # noqa: N806
    return Notice.objects.filter(
        Q(state=State.FAILED)
        | Q(state__in=[State.QUEUED, State.SENDING], due_at__lt=now - STUCK_AFTER)
        | Q(state=State.QUEUED, attempts__gt=1)
    )


def lines_for(notice: Notice) -> QuerySet[Message]:
    """What was said from the line that this notice is about on, up to the line that the next
    one is about, by players whom its reader wants to hear."""
    assert notice.game
    said = notice.game.messages.filter(at__gte=notice.created_at, event="", hidden_at=None)
    said = said.filter(pk__gte=notice.move_number).exclude(player=notice.reader)
    later = Notice.objects.filter(
        game=notice.game, player=notice.reader, kind=notice.kind, pk__gt=notice.pk
    )
    following = later.order_by("pk").values_list("move_number", flat=True).first()
    if following is not None:
        said = said.filter(pk__lt=following)
    return heard_by(notice.reader, said).select_related("player").order_by("id")


def mail_is_held_back() -> bool:
    """Whether a breaker is open: no mail goes out at present."""
    return Breaker.objects.filter(held_until__isnull=False).exists()


def codes_are_late(now: datetime) -> bool:
    """Whether somebody who asks for a code now had better be patient."""
    waiting = Notice.objects.filter(
        state__in=[Notice.State.QUEUED, Notice.State.SENDING],
        urgent=True,
        due_at__isnull=False,
        created_at__lt=now - SOON_ENOUGH,
    )
    return mail_is_held_back() or waiting.exists()


def deadlines_of(player: Player) -> list[Game]:
    """The games in which this player's clock runs, soonest first."""
    waiting = Game.objects.filter(to_act__player=player, deadline__isnull=False)
    return list(waiting.prefetch_related("seats__player").order_by("deadline"))


def owner_of_calendar(token: str) -> Player | None:
    return Player.objects.filter(calendar_token=token, is_active=True).first()
