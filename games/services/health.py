"""Is everything that must run running? For operators, not for players."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection

from games import workers
from games.models import Heartbeat

BEAT = "beat"
PROCESS_STARTED = time.monotonic()


def record_heartbeat(*, now: datetime) -> None:
    Heartbeat.objects.update_or_create(name=BEAT, defaults={"at": now})


def check_health(*, now: datetime) -> tuple[bool, dict[str, Any]]:
    """Whether all is well, and each part in words a monitor can read."""
    report: dict[str, Any] = {"database": "ok", "broker": "ok", "beat": "ok"}
    try:
        connection.ensure_connection()
        last = Heartbeat.objects.filter(name=BEAT).values_list("at", flat=True).first()
    except DatabaseError:
        last = None
        report["database"] = "unreachable"
    age = (now - last).total_seconds() if last else None
    report["beat_age_seconds"] = round(age, 1) if age is not None else None
    if age is None or age > settings.HEARTBEAT_STALE_AFTER:
        young = time.monotonic() - PROCESS_STARTED < settings.HEARTBEAT_STALE_AFTER
        report["beat"] = "starting" if young else "stale"
    if not workers.can_be_woken():
        report["broker"] = "unreachable"
    healthy = not {"unreachable", "stale"} & set(report.values())
    return healthy, report
