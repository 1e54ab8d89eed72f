"""How the site is doing, in numbers: what waits, and for how long. For operators.

Each figure is read where it is true, in the database, so every process of every host tells the
same. Counting what waits costs what waits; only the counts of notices cost what is kept of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet, Sum

from games.models import Game, Heartbeat, Hint, Notice, Player, Shelf

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Figure:
    """One measure with its values, each told apart by its labels."""

    name: str
    help: str
    values: dict[Labels, float] = field(default_factory=dict)


def take_pulse(*, now: datetime) -> Iterator[Figure]:
    running = Game.objects.filter(status=Game.Status.RUNNING)
    unsent = Notice.objects.filter(
        state__in=[Notice.State.QUEUED, Notice.State.SENDING], due_at__isnull=False
    )
    yield from _queue(
        "deadlines_late",
        "Seats whose time is up and that no sweep has taken yet",
        running.filter(deadline__isnull=False),
        "deadline",
        now,
    )
    yield from _queue("notices_due", "Mails that should be on their way", unsent, "due_at", now)
    yield from _queue(
        "bots_due",
        "Turns that bots owe",
        Game.objects.filter(bot_due_at__isnull=False),
        "bot_due_at",
        now,
    )
    yield from _queue(
        "hints_due",
        "Hints that players wait for",
        Hint.objects.filter(due_at__isnull=False),
        "due_at",
        now,
    )
    yield Figure("mails", "Notices that are kept, by kind and by what became of them.", _mails())
    yield Figure("games", "Games, by status.", _games(running))
    yield Figure("players", "Accounts, guests and bots.", _players())
    yield Figure("heartbeat_age_seconds", "Since each background process was seen.", _beats(now))


def _queue(name: str, what: str, rows: QuerySet, due: str, now: datetime) -> Iterator[Figure]:
    """How many rows are due, and for how long the oldest of them has been."""
    found = rows.filter(**{f"{due}__lte": now}).aggregate(count=Count("pk"), oldest=Min(due))
    age = (now - found["oldest"]).total_seconds() if found["oldest"] else 0
    yield Figure(name, f"{what}.", {(): found["count"]})
    yield Figure(
        f"{name}_oldest_seconds", f"{what}: for how long the oldest has been due.", {(): age}
    )


def _mails() -> dict[Labels, float]:
    rows = Notice.objects.order_by().values_list("kind", "state").annotate(Count("pk"))
    return {(("kind", kind), ("verdict", state)): count for kind, state, count in rows}


def _games(running: QuerySet[Game]) -> dict[Labels, float]:
    # Finished games are counted on their shelves; there may be very many of them.
    over = Shelf.objects.aggregate(games=Sum("games"))["games"] or 0
    still_open = Game.objects.filter(status=Game.Status.OPEN).count()
    counts = {"open": still_open, "running": running.count(), "over": over}
    return {(("status", status),): count for status, count in counts.items()}


def _players() -> dict[Labels, float]:
    bots, guests = ~Q(bot_level=""), Q(is_guest=True)
    counts = Player.objects.filter(deleted_at=None).aggregate(
        bot=Count("pk", filter=bots),
        guest=Count("pk", filter=guests),
        account=Count("pk", filter=~bots & ~guests),
    )
    return {(("kind", kind),): count for kind, count in counts.items()}


def _beats(now: datetime) -> dict[Labels, float]:
    return {
        (("process", beat.name),): (now - beat.at).total_seconds()
        for beat in Heartbeat.objects.all()
    }
