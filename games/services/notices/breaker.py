"""Too many refusals in a row are nobody's address: the channel is held back, and we say so.

While it is held, one notice is tried after each pause. The first that goes through lets
everything out again, at once. Any number of senders share what the row says.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from games.models import Breaker, Notice
from games.reckon.verdicts import Verdict
from games.services.notices import trust, written

log = logging.getLogger(__name__)

TOO_MANY = 5
LONGEST_PAUSE = timedelta(minutes=10)


def room(*, channel: str, batch: int, now: datetime) -> int:
    """How many may be sent now: a batch, none while the channel is held back, or one to try."""
    held_until = _row(channel).values_list("held_until", flat=True).first()
    if held_until is None:
        return batch
    return 0 if held_until > now else 1


def take_probe(*, channel: str, now: datetime) -> bool:
    """Whether it falls to us to try, if the channel is held back: to one sender at a time."""
    held = _row(channel).filter(held_until__isnull=False)
    if not held.exists():
        return True
    probe = {"held_until": now + settings.NOTICE_LEASE, "probes": F("probes") + 1}
    return bool(held.filter(held_until__lte=now).update(**probe))


@transaction.atomic
def refused(*, channel: str, verdict: Verdict, now: datetime) -> bool:
    """Count a refusal that speaks against us; whether the channel is held back now."""
    if not verdict.speaks_against_us:
        return _row(channel).filter(held_until__isnull=False).exists()
    Breaker.objects.get_or_create(channel=channel)
    row = _row(channel).select_for_update().get()
    opens = row.held_until is None and row.refusals + 1 >= TOO_MANY
    row.refusals += 1
    row.since = row.since or now
    row.reason = verdict.reason[:500]
    if opens or row.held_until:
        row.held_until = now + _pause(row.probes)
    row.save()
    if opens:
        _open(row, now)
    return row.held_until is not None


def went_through(*, channel: str, now: datetime) -> None:
    """The channel works: whatever was refused meanwhile is tried again at once."""
    if not _row(channel).filter(refusals__gt=0).exists():
        return
    with transaction.atomic():
        row = _row(channel).select_for_update().get()
        if row.held_until:
            log.warning("%s goes out again", channel)
            Notice.objects.filter(
                state=Notice.State.QUEUED, due_at__gt=now, last_error__gt=""
            ).update(due_at=now)
        row.refusals, row.probes, row.reason = 0, 0, ""
        row.since = row.held_until = None
        row.save()


def try_now(*, channel: str, now: datetime) -> bool:
    """An operator has put things right: do not wait for the next try."""
    return bool(_row(channel).filter(held_until__gt=now).update(held_until=now))


def _open(row: Breaker, now: datetime) -> None:
    log.error("%s is held back after %d refusals: %s", row.channel, row.refusals, row.reason)
    assert row.since
    # It was not about them.
    trust.trust_those_refused_since(row.since, now=now)
    written.tell_operators(
        subject=f"Souk: {row.channel} was refused",
        text=(
            f"{row.refusals} refusals in a row since {row.since:%Y-%m-%d %H:%M} UTC; the last "
            f"one said: {row.reason}\n\nNothing is lost: what is due waits and is tried again "
            f"by itself. That you can read this means that something goes out again.\n"
            f"{settings.SITE_URL}/admin/games/breaker/\n"
        ),
        now=now,
    )


def _pause(probes: int) -> timedelta:
    return min(settings.MAIL_RETRY_PAUSE * 2 ** min(probes, 10), LONGEST_PAUSE)


def _row(channel: str) -> QuerySet[Breaker]:
    return Breaker.objects.filter(channel=channel)
