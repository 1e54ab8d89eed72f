"""Celery tasks: a wake-up call for a service, and nothing else."""

from __future__ import annotations

from celery import shared_task

from games.selectors.overdue import database_now
from games.services import bots, health, lobby, purges, timeouts
from games.services.notices import mailbox, outbox


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
def read_bounces() -> None:
    mailbox.read_bounces(now=database_now())


@shared_task
def play_bots() -> None:
    bots.play_due(clock=database_now)


@shared_task
def purge() -> None:
    purges.purge(now=database_now())
