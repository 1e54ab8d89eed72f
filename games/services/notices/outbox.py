"""The outbox is emptied: due rows are claimed, sent, and marked in a transaction of their own.

Any number of senders may do this at once. A claim lasts for a lease; whatever a sender that
died had claimed is due again afterwards. So a mail can come twice only if its sender died
between the server's OK and our commit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, QuerySet

from games.models import Notice, Player
from games.reckon.verdicts import Verdict, judge
from games.services.notices import letters
from games.services.notices.letter import Letter
from games.services.notices.queue import wake_senders
from games.services.notices.wishes import ABOUT_A_TURN, out_of_quiet_hours

log = logging.getLogger(__name__)
Kind, State = Notice.Kind, Notice.State

BATCH = 20
LONGEST_PAUSE = timedelta(days=1)
MOST_ATTEMPTS = 14
"""With pauses that double up to a day: about five days, as mail servers do."""


def drain(*, clock: Callable[[], datetime]) -> None:
    """Send what is due until nothing is, or until the mail server is in trouble."""
    connection = get_connection()
    helped = False
    try:
        while claimed := claim(now=clock()):
            if len(claimed) == BATCH and not helped:
                helped = _ask_for_help()
            if not send(claimed, connection=connection, clock=clock):
                break
    finally:
        connection.close()


@transaction.atomic
def claim(*, now: datetime) -> list[Notice]:
    """Take due notices for one lease, so that nobody else does."""
    due = Notice.objects.filter(
        state__in=[State.QUEUED, State.SENDING], due_at__isnull=False, due_at__lte=now
    )
    taken = due.select_for_update(skip_locked=True).order_by("due_at")[:BATCH]
    keys = list(taken.values_list("pk", flat=True))
    if not keys:
        return []
    Notice.objects.filter(pk__in=keys).update(
        state=State.SENDING, due_at=now + settings.NOTICE_LEASE, attempts=F("attempts") + 1
    )
    return list(_whole(Notice.objects.filter(pk__in=keys)))


def send(
    claimed: list[Notice], *, connection: BaseEmailBackend, clock: Callable[[], datetime]
) -> bool:
    """Deal with what was claimed; False, and the rest given back, if the server does not work."""
    for number, notice in enumerate(claimed):
        if not _deal_with(notice, connection, clock):
            _give_back(claimed[number + 1 :], clock())
            return False
    return True


def _ask_for_help() -> bool:
    """There is more than one batch: another sender, if one is idle, comes at once."""
    try:
        wake_senders()
    except Exception:
        log.warning("nobody can be woken: the broker does not answer")
    return True


def resend(*, notice_ids: Iterable[int], now: datetime) -> int:
    """An operator has failed or stuck notices tried again at once."""
    stuck = Notice.objects.filter(pk__in=notice_ids, state__in=[State.FAILED, State.QUEUED])
    return _try_again(stuck, now)


def _deal_with(notice: Notice, connection: BaseEmailBackend, clock: Callable[[], datetime]) -> bool:
    """Whether the mail server can go on with the next one."""
    player, now = notice.player, clock()
    enclosed = _enclosed(notice) if notice.kind == Kind.DIGEST else []
    if (
        not (player.email and player.is_active)
        or not letters.is_timely(notice)
        or (notice.kind == Kind.DIGEST and not enclosed)
    ):
        _finish(notice, State.WITHDRAWN)
        return True
    if notice.kind != Kind.ADDRESS:
        if player.address_refused:
            _finish(notice, State.FAILED, player.refused_reason)
            return True
        if (awake := out_of_quiet_hours(player, now)) > now:
            _put_back(notice, awake, attempts=notice.attempts - 1)
            return True
    letter = _written(notice, enclosed, now)
    if letter is None or not _still_mine(notice, clock()):
        return True
    try:
        connection.open()
        connection.send_messages([letter])
    except Exception as error:
        verdict = judge(error)
        log.warning("notice %s: %s", notice.pk, verdict.reason)
        _refused(notice, verdict, clock())
        if not verdict.server_works:
            connection.close()
        return verdict.server_works
    _sent(notice, enclosed, clock())
    return True


def _still_mine(notice: Notice, now: datetime) -> bool:
    """Right before it is sent: whether the lease holds; it is renewed when half of it is gone."""
    assert notice.due_at
    if notice.due_at - now > settings.NOTICE_LEASE / 2:
        return True
    return bool(_mine(notice).update(due_at=now + settings.NOTICE_LEASE))


def _written(notice: Notice, enclosed: list[Notice], now: datetime) -> Letter | None:
    """The letter; one that cannot be written is tried again later and holds up no other."""
    try:
        return letters.write(notice, now=now, enclosed=enclosed)
    except Exception as error:
        log.exception("notice %s cannot be written", notice.pk)
        _refused(notice, Verdict(repr(error), permanent=False, server_works=True), now)
        return None


def _enclosed(digest: Notice) -> list[Notice]:
    """What waits for this player's digest and is still worth telling."""
    waiting = Notice.objects.filter(player=digest.player, state=State.QUEUED, due_at=None)
    notices = list(_whole(waiting))
    late = [each.pk for each in notices if not letters.is_timely(each)]
    Notice.objects.filter(pk__in=late, state=State.QUEUED).update(state=State.WITHDRAWN)
    return [each for each in notices if each.pk not in late]


@transaction.atomic
def _sent(notice: Notice, enclosed: list[Notice], now: datetime) -> None:
    # Also if it was withdrawn meanwhile: it is on its way.
    Notice.objects.filter(pk=notice.pk, attempts=notice.attempts).update(
        state=State.SENT, sent_at=now, last_error=""
    )
    if enclosed:
        Notice.objects.filter(pk__in=[each.pk for each in enclosed], state=State.QUEUED).update(
            state=State.SENT, sent_at=now
        )
    if notice.kind == Kind.ADDRESS and notice.player.refused_address:
        _trust_again(notice.player, now)


def _trust_again(player: Player, now: datetime) -> None:
    """The address works after all: what is still true is told now."""
    Player.objects.filter(pk=player.pk).update(refused_address="", refused_reason="")
    missed = Notice.objects.filter(
        player=player,
        kind__in=ABOUT_A_TURN,
        state=State.FAILED,
        game__to_act__player=player,
    )
    _try_again(missed, now)


@transaction.atomic
def _refused(notice: Notice, verdict: Verdict, now: datetime) -> None:
    reason = verdict.reason[:500]
    if verdict.permanent:
        player = notice.player
        player.refused_address, player.refused_reason = player.email, reason
        player.save(update_fields=["refused_address", "refused_reason"])
    if verdict.permanent or notice.attempts >= MOST_ATTEMPTS:
        _finish(notice, State.FAILED, reason)
        return
    pause = min(settings.MAIL_RETRY_PAUSE * 2 ** (notice.attempts - 1), LONGEST_PAUSE)
    _put_back(notice, now + pause, attempts=notice.attempts, error=reason)


def _whole(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """With everything that letters are about, in a few queries for all of them."""
    return (
        notices.select_related("player", "game")
        .prefetch_related("game__seats__player", "game__moves")
        .order_by("pk")
    )


def _finish(notice: Notice, state: str, error: str = "") -> None:
    _mine(notice).update(state=state, last_error=error)


def _put_back(notice: Notice, due: datetime, *, attempts: int, error: str = "") -> None:
    _mine(notice).update(state=State.QUEUED, due_at=due, attempts=attempts, last_error=error)


def _mine(notice: Notice) -> QuerySet[Notice]:
    """The row, as long as nobody withdrew it or took it over."""
    return Notice.objects.filter(pk=notice.pk, state=State.SENDING, attempts=notice.attempts)


def _give_back(rest: list[Notice], now: datetime) -> None:
    Notice.objects.filter(pk__in=[each.pk for each in rest], state=State.SENDING).update(
        state=State.QUEUED, due_at=now, attempts=F("attempts") - 1
    )


def _try_again(notices: QuerySet[Notice], now: datetime) -> int:
    return notices.update(state=State.QUEUED, due_at=now, attempts=0, last_error="")
