"""Celery tasks: a wake-up call for a service, and nothing else."""

from __future__ import annotations

from celery import shared_task

from games.selectors.overdue import database_now
from games.services import accounts, bots, guests, health, limits, lobby, timeouts
from games.services.notices import bounces, mailbox, outbox, written


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
def forget_old_mail() -> None:
    written.forget_old(now=database_now())
    bounces.forget_old(now=database_now())


@shared_task
def play_bots() -> None:
    bots.play_due(clock=database_now)


@shared_task
def forget_unfinished_sign_ups() -> None:
    accounts.forget_unfinished_sign_ups(now=database_now())


@shared_task
def forget_old_uses() -> None:
    limits.forget_old_uses(now=database_now())


@shared_task
def forget_old_guests() -> None:
    guests.forget_old_guests(now=database_now())
