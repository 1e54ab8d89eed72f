"""Is everything that must run running? For operators, not for players."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Thread
from typing import Any

from django.conf import settings
from django.db import connection

from games import workers
from games.models import Heartbeat
from games.selectors import overdue

PROCESS_STARTED = time.monotonic()
WITHIN = 4.0
"""Seconds until a monitor gets its answer, whoever else hangs."""

HANGING = BoundedSemaphore(8)
"""Questions that nobody answers are not asked without end."""

LATE_AFTER = {
    "notices": timedelta(minutes=10),
    "errands": timedelta(minutes=10),
    "deadlines": timedelta(minutes=2),
    "bot_turns": timedelta(minutes=2),
}
SKEWED_FROM = timedelta(seconds=5)
BAD = {"unreachable", "stale", "late", "skewed"}


def record_heartbeat(*, role: str, now: datetime) -> None:
    """A worker of this role got what beat sent."""
    Heartbeat.objects.update_or_create(name=role, defaults={"at": now})


def check_health(*, now: datetime) -> tuple[bool, dict[str, Any]]:
    """Whether all is well, and each part in words a monitor can read."""
    answers = _ask({"database": _look, "broker": workers.can_be_woken})
    seen: overdue.Seen | None = answers["database"]
    report: dict[str, Any] = {
        "database": "ok" if seen else "unreachable",
        "broker": "ok" if answers["broker"] else "unreachable",
    }
    if seen:
        report |= _roles(seen, now) | _late(seen) | _skew(seen, now)
        # For whoever reads the report: nothing here gets better by a restart.
        report["mail_server"] = "refuses" if seen.mail_is_held_back else "ok"
    return not BAD & {value for value in report.values() if isinstance(value, str)}, report


def _look() -> overdue.Seen:
    try:
        return overdue.look()
    finally:
        connection.close()


def _roles(seen: overdue.Seen, now: datetime) -> dict[str, Any]:
    """Each kind of workers; beat is well if any of them hears of it."""
    beats = {role: at for role, at in seen.heartbeats.items() if role in workers.ROLES}
    said = {"beat": max(beats.values(), default=None)}
    said |= {role: beats.get(role) for role in workers.ROLES}
    if workers.LIVE in seen.heartbeats:
        # Where there never was one, pages ask by themselves, and nothing is amiss.
        said[workers.LIVE] = seen.heartbeats[workers.LIVE]
    report: dict[str, Any] = {}
    for name, at in said.items():
        age = (now - at).total_seconds() if at else None
        report[name] = _judged(age)
        report[f"{name}_age_seconds"] = round(age, 1) if age is not None else None
    return report


def _judged(age: float | None) -> str:
    if age is not None and age <= settings.HEARTBEAT_STALE_AFTER:
        return "ok"
    young = time.monotonic() - PROCESS_STARTED < settings.HEARTBEAT_STALE_AFTER
    return "starting" if young else "stale"


def _late(seen: overdue.Seen) -> dict[str, Any]:
    """How long the oldest work that is due has been waiting for somebody to do it."""
    report: dict[str, Any] = {}
    for name, limit in LATE_AFTER.items():
        due = seen.oldest[name]
        waiting = max(seen.at - due, timedelta()) if due else timedelta()
        report[name] = "late" if waiting > limit else "ok"
        report[f"oldest_due_{name}_seconds"] = round(waiting.total_seconds(), 1)
    return report


def _skew(seen: overdue.Seen, now: datetime) -> dict[str, Any]:
    """Hosts whose clocks differ from that of the database would be unfair to players."""
    skew = now - seen.at
    return {
        "clock": "skewed" if abs(skew) > SKEWED_FROM + timedelta(seconds=WITHIN) else "ok",
        "clock_skew_seconds": round(skew.total_seconds(), 1),
    }


def _ask(questions: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """All at once, each in a thread of its own; None where there was no answer in time."""
    until = time.monotonic() + WITHIN
    answers: dict[str, SimpleQueue[Any]] = {name: SimpleQueue() for name in questions}
    for name, question in questions.items():
        Thread(target=_answer, args=(question, answers[name]), daemon=True).start()
    return {name: _wait(answer, until) for name, answer in answers.items()}


def _answer(question: Callable[[], Any], answer: SimpleQueue[Any]) -> None:
    if not HANGING.acquire(blocking=False):
        answer.put(None)
        return
    try:
        answer.put(question())
    except Exception:
        answer.put(None)
    finally:
        HANGING.release()


def _wait(answer: SimpleQueue[Any], until: float) -> Any:
    try:
        return answer.get(timeout=max(until - time.monotonic(), 0.01))
    except Empty:
        return None
