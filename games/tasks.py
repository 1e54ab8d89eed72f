"""Celery tasks: a wake-up call for a service, and nothing else."""

from __future__ import annotations

from celery import shared_task

from games.selectors.overdue import database_now
from games.services import (
    bots,
    company,
    exhibitions,
    health,
    lobby,
    purges,
    puzzles,
    reckonings,
    stats,
    timeouts,
)
from games.services.notices import mailbox, outbox
from games.services.reach import errands


@shared_task
def heartbeat(role: str) -> None:
    health.record_heartbeat(role=role, now=database_now())


@shared_task
def expire_open_games() -> None:
    lobby.expire_open_games(now=database_now())


@shared_task
def sweep_deadlines() -> None:
    timeouts.sweep_deadlines(now=database_now())


@shared_task
def drain_notices() -> None:
    outbox.drain(clock=database_now)


@shared_task
def run_errands() -> None:
    errands.drain(clock=database_now)


@shared_task
def read_bounces() -> None:
    mailbox.read_bounces(now=database_now())


@shared_task
def play_bots() -> None:
    bots.play_due(clock=database_now)


@shared_task
def reckon_games() -> None:
    reckonings.work(clock=database_now)


@shared_task
def choose_puzzle() -> None:
    puzzles.choose(now=database_now())


@shared_task
def look_at_company() -> None:
    company.look(now=database_now())


@shared_task
def leave_out_annulled() -> None:
    stats.leave_out_annulled_if_due()


@shared_task
def hold_exhibitions() -> None:
    exhibitions.hold(now=database_now())


@shared_task
def purge() -> None:
    purges.purge(now=database_now())
