"""What is due and not done, and when each kind of workers was last seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection
from django.db.models import Min

from games.models import Game, Heartbeat, Notice
from games.selectors.notices import mail_is_held_back


@dataclass(frozen=True)
class Seen:
    at: datetime
    """By the clock of the database."""
    heartbeats: dict[str, datetime]
    oldest: dict[str, datetime | None]
    mail_is_held_back: bool


def look() -> Seen:
    unsent = Notice.objects.filter(
        state__in=[Notice.State.QUEUED, Notice.State.SENDING], due_at__isnull=False
    )
    timed = Game.objects.filter(status=Game.Status.RUNNING, deadline__isnull=False)
    for_bots = Game.objects.filter(bot_due_at__isnull=False)
    return Seen(
        at=database_now(),
        heartbeats=dict(Heartbeat.objects.values_list("name", "at")),
        oldest={
            "notices": unsent.aggregate(oldest=Min("due_at"))["oldest"],
            "deadlines": timed.aggregate(oldest=Min("deadline"))["oldest"],
            "bot_turns": for_bots.aggregate(oldest=Min("bot_due_at"))["oldest"],
        },
        mail_is_held_back=mail_is_held_back(),
    )


def database_now() -> datetime:
    """The clock that all hosts share: a worker whose own is wrong takes no seat too early."""
    ask = {
        "postgresql": "SELECT clock_timestamp()",
        "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
    }
    with connection.cursor() as cursor:
        cursor.execute(ask[connection.vendor])
        (now,) = cursor.fetchone()
    if isinstance(now, str):
        return datetime.fromisoformat(now).replace(tzinfo=UTC)
    return now.astimezone(UTC)
