"""What beat sends, and how often."""

from __future__ import annotations

from typing import Any

from celery.schedules import crontab

from games.workers import BOTS_QUEUE, ERRANDS, MAIL_QUEUE, RECKONERS, ROLES

HOUR = 3600


def beat_schedule(*, purge_hour: int) -> dict[str, dict[str, Any]]:
    """By name; what goes over the whole site has an hour of its own, because whatever counts from
    the start of beat may never come round."""
    return {
        "expire-open-games": _every(600, "games.tasks.expire_open_games"),
        "sweep-deadlines": _every(10, "games.tasks.sweep_deadlines"),
        "drain-notices": _every(5, "games.tasks.drain_notices"),
        "run-errands": _every(5, ERRANDS),
        "play-bots": _every(3, "games.tasks.play_bots"),
        "reckon-games": _every(10, RECKONERS),
        "choose-puzzle": _every(600, "games.tasks.choose_puzzle", queue=BOTS_QUEUE),
        "leave-out-annulled": _every(600, "games.tasks.leave_out_annulled"),
        "hold-exhibitions": _every(60, "games.tasks.hold_exhibitions"),
        "read-bounces": _every(300, "games.tasks.read_bounces", queue=MAIL_QUEUE),
        "purge": {
            "task": "games.tasks.purge",
            "schedule": crontab(hour=purge_hour, minute=10),
            "options": {"expires": HOUR},
        },
        "look-at-company": {
            "task": "games.tasks.look_at_company",
            "schedule": crontab(hour=purge_hour, minute=40),
            "options": {"expires": HOUR, "queue": BOTS_QUEUE},
        },
        **{
            f"heartbeat-{role}": _every(15, "games.tasks.heartbeat", role, queue=role)
            for role in ROLES
        },
    }


def _every(seconds: int, task: str, *args: Any, **options: Any) -> dict[str, Any]:
    """One that waited longer than its own period is not worth running: the next one is here."""
    return {
        "task": task,
        "args": args,
        "schedule": seconds,
        "options": {"expires": seconds, **options},
    }
