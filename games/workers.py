"""The port to the workers: wake them, and ask whether they can be woken.

Due work is a row in the database. A message only makes somebody look at once; without a
broker the next sweep does.
"""

from __future__ import annotations

from typing import Any

from celery import current_app

from games.rest import Rest

SENDERS = "games.tasks.drain_notices"
BOTS = "games.tasks.play_bots"
RECKONERS = "games.tasks.reckon_games"
ERRANDS = "games.tasks.run_errands"

# The queues, one for each kind of workers, and what `/healthz` calls them.
SWEEPS_QUEUE = "sweeps"
MAIL_QUEUE = "mail"
BOTS_QUEUE = "bots"
ROLES = (SWEEPS_QUEUE, MAIL_QUEUE, BOTS_QUEUE)
# No queue: the process of the streams says by itself that it lives.
LIVE = "live"

broker = Rest(seconds=15)


def wake(task: str, **options: Any) -> None:
    if broker.is_on:
        return
    try:
        current_app.send_task(task, **options)
    except Exception:
        broker.begin()
        raise


def can_be_woken() -> bool:
    """True, or whatever the client of the broker raises."""
    with current_app.connection_for_write(connect_timeout=2) as link:
        link.ensure_connection(max_retries=1, interval_start=0, timeout=2)
        # A server that is frozen accepts connections; the first channel shows it.
        return link.default_channel is not None
