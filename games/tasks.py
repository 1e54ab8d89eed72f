"""Celery tasks: a wake-up call for a service, and nothing else."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from games.services import accounts, bots, guests, health, limits, lobby, timeouts
from games.services.notices import outbox


@shared_task
def heartbeat(role: str) -> None:
    health.record_heartbeat(role=role, now=timezone.now())


@shared_task
def expire_open_games() -> None:
    lobby.expire_open_games(now=timezone.now())


@shared_task
def sweep_deadlines() -> None:
    timeouts.sweep_deadlines(now=timezone.now())


@shared_task
def drain_notices() -> None:
    outbox.drain(clock=timezone.now)


@shared_task
def play_bots() -> None:
    bots.play_due(clock=timezone.now)


@shared_task
def forget_unfinished_sign_ups() -> None:
    accounts.forget_unfinished_sign_ups(now=timezone.now())


@shared_task
def forget_old_uses() -> None:
    limits.forget_old_uses(now=timezone.now())


@shared_task
def forget_old_guests() -> None:
    guests.forget_old_guests(now=timezone.now())
