"""What is due and not done, and when each kind of workers was last seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import Min, QuerySet

from games.models import Errand, Game, Heartbeat, Hint, Notice, Reckoning
from games.selectors.notices import mail_is_held_back

UNSENT = (Notice.State.QUEUED, Notice.State.SENDING)
Rows = tuple[QuerySet[Any], str]


@dataclass(frozen=True)
class Seen:
    at: datetime
    """By the clock of the database."""
    heartbeats: dict[str, datetime]
    oldest: dict[str, datetime | None]
    mail_is_held_back: bool


def queues() -> dict[str, list[Rows]]:
    """Rows that somebody has to deal with, each with the column that says from when on."""
    timed = Game.objects.filter(status=Game.Status.RUNNING, deadline__isnull=False)
    return {
        "deadlines": [(timed, "deadline")],
        "notices": [(Notice.objects.filter(state__in=UNSENT), "due_at")],
        # Of a notice that devices are told of, errands are made first.
        "errands": [
            (Notice.objects.all(), "push_at"),
            (Errand.objects.filter(state__in=UNSENT), "due_at"),
        ],
        "bot_turns": [(Game.objects.all(), "bot_due_at")],
        "hints": [(Hint.objects.all(), "due_at")],
        "reckonings": [(Reckoning.objects.all(), "due_at")],
    }


def look() -> Seen:
    return Seen(
        at=database_now(),
        heartbeats=dict(Heartbeat.objects.values_list("name", "at")),
        oldest={name: _oldest(rows) for name, rows in queues().items()},
        mail_is_held_back=mail_is_held_back(),
    )


def _oldest(queue: list[Rows]) -> datetime | None:
    found = (
        rows.filter(**{f"{due}__isnull": False}).aggregate(oldest=Min(due))["oldest"]
        for rows, due in queue
    )
    return min((each for each in found if each), default=None)


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
