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

from games.models import Game, Notice
from games.services import accounts, guests, limits
from games.services.notices import bounces, written

log = logging.getLogger(__name__)

AT_ONCE = 2000
"""Rows a transaction: nobody who plays meanwhile should wait for a purge."""

FINAL = (Notice.State.SENT, Notice.State.WITHDRAWN, Notice.State.FAILED)


def purge(*, now: datetime) -> dict[str, int]:
    """How many went, by kind."""
    gone = {
        "sessions": forget_sessions(now=now),
        "notices": forget_notices(now=now),
        "guests": guests.forget_old_guests(now=now),
        "sign_ups": accounts.forget_unfinished_sign_ups(now=now),
        "account_mails": written.forget_old(now=now),
        "bounces": bounces.forget_old(now=now),
        "uses": limits.forget_old_uses(now=now),
        "attempts": _delete(
            AccessAttempt.objects.filter(attempt_time__lt=now - settings.ATTEMPTS_KEPT)
        ),
    }
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


def _delete(rows: QuerySet[Any]) -> int:
    count = 0
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        rows.model._default_manager.filter(pk__in=some).delete()
        count += len(some)
    return count
