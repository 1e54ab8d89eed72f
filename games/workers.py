"""The port to the workers: wake them, and ask whether they can be woken.

Due work is a row in the database. A message only makes somebody look at once; without a
broker the next sweep does.
"""

from __future__ import annotations

from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

SENDERS = "games.tasks.drain_notices"
BOTS = "games.tasks.play_bots"


def wake(task: str, **options: Any) -> None:
    current_app.send_task(task, **options)


def can_be_woken() -> bool:
    try:
        with current_app.connection_for_write(connect_timeout=2) as link:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, OperationalError):
        return False
    return True
