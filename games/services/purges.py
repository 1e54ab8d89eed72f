"""What nobody needs any more goes, once a day; how long things are kept is a setting."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import F, Q, QuerySet

from games.models import Errand, Game, Notice, Reckoning, Webhook
from games.services import accounts, guests, limits, second_factor
from games.services.notices import bounces, written

log = logging.getLogger(__name__)

AT_ONCE = 2000
"""Rows a transaction: nobody who plays meanwhile should wait for a purge."""

FINAL = (
    Notice.State.SENT,
    Notice.State.WITHDRAWN,
    Notice.State.FAILED,
    Notice.State.ELSEWHERE,
)


def purge(*, now: datetime) -> dict[str, int]:
    """How many went, by kind."""
    gone = {
        "sessions": forget_sessions(now=now),
        "notices": forget_notices(now=now),
        "errands": forget_errands(now=now),
        "webhooks": forget_webhooks(now=now),
        "records": forget_records(now=now),
        "guests": guests.forget_old_guests(now=now),
        "sign_ups": accounts.forget_unfinished_sign_ups(now=now),
        "account_mails": written.forget_old(now=now),
        "bounces": bounces.forget_old(now=now),
        "uses": limits.forget_old_uses(now=now),
        "attempts": _delete(
            AccessAttempt.objects.filter(attempt_time__lt=now - settings.ATTEMPTS_KEPT)
        ),
    }
    second_factor.encrypt_all_anew()
    accounts.give_free_keys()
    if any(gone.values()):
        log.info("purged", extra={"facts": gone})
    return gone


def forget_sessions(*, now: datetime) -> int:
    ended = _delete(Session.objects.filter(expire_date__lt=now))
    # Where a player is signed in, as the settings page lists it; the sessions are what counts.
    _delete(UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")))
    return ended


def forget_notices(*, now: datetime) -> int:
    """Old ones that nothing hangs on: a notice about the present position of a game is what
    keeps it from being sent twice, and the number of address checks is that of the next one."""
    position_is_past = (
        Q(game=None)
        | ~Q(game__status__in=[Game.Status.RUNNING, Game.Status.OPEN])
        | Q(move_number__lt=F("game__move_count"))
    )
    old = Notice.objects.filter(
        position_is_past, state__in=FINAL, created_at__lt=now - settings.NOTICES_KEPT
    )
    return _delete(old.exclude(kind=Notice.Kind.ADDRESS))


def forget_errands(*, now: datetime) -> int:
    old = Errand.objects.filter(state__in=FINAL, created_at__lt=now - settings.NOTICES_KEPT)
    return _delete(old)


def forget_webhooks(*, now: datetime) -> int:
    """Those of tables at which nothing more happens, with their logs."""
    ended = now - settings.NOTICES_KEPT
    gone = Q(game__ended_at__lt=ended)
    gone |= Q(game__status=Game.Status.CANCELLED, game__created_at__lt=ended)
    return _delete(Webhook.objects.filter(gone))


def forget_records(*, now: datetime) -> int:
    """What judges said of records that somebody brought; whoever has one can bring it again."""
    old = Reckoning.objects.filter(game=None, asked_at__lt=now - settings.RECORDS_KEPT)
    return _delete(old)


def _delete(rows: QuerySet[Any]) -> int:
    count = 0
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        rows.model._default_manager.filter(pk__in=some).delete()
        count += len(some)
    return count
