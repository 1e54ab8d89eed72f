"""How the site is doing, in numbers: what waits, and for how long. For operators.

Each figure is read where it is true, in the database, so every process of every host tells the
same. Counting what waits costs what waits; only the counts of notices cost what is kept of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Min, Q, Sum

from games.models import Errand, Game, Heartbeat, Notice, Player, Shelf
from games.selectors.overdue import Rows, queues

Labels = tuple[tuple[str, str], ...]

QUEUES = {
    "deadlines": ("deadlines_late", "Seats whose time is up and that no sweep has taken yet"),
    "notices": ("notices_due", "Mails that should be on their way"),
    "errands": ("errands_due", "Devices and webhooks that should have been told"),
    "bot_turns": ("bots_due", "Turns that bots owe"),
    "hints": ("hints_due", "Hints that players wait for"),
    "reckonings": ("reckonings_due", "Finished games that a judge should look at"),
}


@dataclass(frozen=True)
class Figure:
    """One measure with its values, each told apart by its labels."""

    name: str
    help: str
    values: dict[Labels, float] = field(default_factory=dict)


def take_pulse(*, now: datetime) -> Iterator[Figure]:
    for name, queue in queues().items():
        yield from _queue(*QUEUES[name], queue, now)
    yield Figure("mails", "Notices that are kept, by kind and by what became of them.", _mails())
    yield Figure("errands", "What went to devices and webhooks, and what became of it.", _errands())
    yield Figure("games", "Games, by status.", _games())
    yield Figure("players", "Accounts, guests and bots.", _players())
    yield Figure("heartbeat_age_seconds", "Since each background process was seen.", _beats(now))


def _queue(name: str, what: str, queue: list[Rows], now: datetime) -> Iterator[Figure]:
    """How many rows are due, and for how long the oldest of them has been."""
    found = [
        rows.filter(**{f"{due}__lte": now}).aggregate(count=Count("pk"), oldest=Min(due))
        for rows, due in queue
    ]
    oldest = min((each["oldest"] for each in found if each["oldest"]), default=now)
    yield Figure(name, f"{what}.", {(): sum(each["count"] for each in found)})
    yield Figure(
        f"{name}_oldest_seconds",
        f"{what}: for how long the oldest has been due.",
        {(): (now - oldest).total_seconds()},
    )


def _mails() -> dict[Labels, float]:
    rows = Notice.objects.order_by().values_list("kind", "state").annotate(Count("pk"))
    return {(("kind", kind), ("verdict", state)): count for kind, state, count in rows}


def _errands() -> dict[Labels, float]:
    rows = Errand.objects.order_by().values("state")
    return {
        (("channel", channel), ("verdict", row["state"])): row[channel]
        for row in rows.annotate(push=Count("device"), webhook=Count("webhook"))
        for channel in ("push", "webhook")
    }


def _games() -> dict[Labels, float]:
    # Finished games are counted on their shelves; there may be very many of them.
    over = Shelf.objects.aggregate(games=Sum("games"))["games"] or 0
    still_open = Game.objects.filter(status=Game.Status.OPEN).count()
    running = Game.objects.filter(status=Game.Status.RUNNING).count()
    counts = {"open": still_open, "running": running, "over": over}
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
