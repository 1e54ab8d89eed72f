"""Mail for an address, whoever reads it: written when it is queued, because only then its words
are known, and forgotten as soon as it has gone out or is of no more use.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from games.models import Notice
from games.services.notices.queue import wake_senders

Kind, State = Notice.Kind, Notice.State
KINDS = (Kind.ACCOUNT, Kind.OPERATOR)
KEPT_FOR = timedelta(days=7)


@dataclass(frozen=True)
class Content:
    subject: str
    text: str
    html: str = ""


def write_to(
    *, address: str, content: Content, now: datetime, expires_at: datetime | None = None
) -> None:
    """Somebody sits in front of a page and waits for this mail."""
    Notice.objects.create(
        kind=Kind.ACCOUNT,
        address=address,
        content=asdict(content),
        created_at=now,
        due_at=now,
        urgent=True,
        expires_at=expires_at,
    )
    transaction.on_commit(wake_senders, robust=True)


def tell_operators(*, subject: str, text: str, now: datetime) -> None:
    """To whom ADMINS names; it goes out as soon as anything does."""
    Notice.objects.bulk_create(
        Notice(
            kind=Kind.OPERATOR,
            address=address,
            content=asdict(Content(subject, text)),
            created_at=now,
            due_at=now,
        )
        for _, address in settings.ADMINS
    )


def drop_expired(*, now: datetime) -> int:
    """A code that is too old opens nothing: it is neither sent nor kept."""
    return Notice.objects.filter(
        state__in=[State.QUEUED, State.SENDING],
        due_at__isnull=False,
        urgent=True,
        expires_at__lte=now,
    ).update(state=State.WITHDRAWN, content=None)


def forget_old(*, now: datetime) -> int:
    """Whom we wrote to a week ago is nobody's business any more."""
    old = Notice.objects.filter(kind__in=KINDS, created_at__lt=now - KEPT_FOR)
    return old.exclude(state__in=[State.QUEUED, State.SENDING]).delete()[0]
