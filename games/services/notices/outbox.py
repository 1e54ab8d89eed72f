"""The outbox is emptied: due rows are claimed, sent, and marked in a transaction of their own.

Any number of senders may do this at once. A claim lasts for a lease; whatever a sender that
died had claimed is due again afterwards. So a mail can come twice only if its sender died, or
lost the database for good, between the server's OK and our commit. That moment is kept short:
the OK is written down before anything else, and again over a new connection if the old one
was cut.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet

from games.models import Notice, Player
from games.reckon.verdicts import About, Verdict
from games.selectors.accounts import is_confirmed
from games.services.notices import bounces, breaker, parcels, trust, written
from games.services.notices.parcels import Parcel
from games.services.notices.post import Channel, Post
from games.services.notices.queue import ensure_digest, wake_senders
from games.services.notices.wishes import (
    ABOUT_A_TURN,
    Delivery,
    may_be_told,
    next_digest,
    out_of_quiet_hours,
)

log = logging.getLogger(__name__)
Kind, State = Notice.Kind, Notice.State

BATCH = 20
LONGEST_PAUSE = timedelta(days=1)
MOST_ATTEMPTS = 14
"""With pauses that double up to a day: about five days, as mail servers do."""
RECONNECT_AFTER = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0)


def drain(*, clock: Callable[[], datetime]) -> None:
    """Send what is due until nothing is, or until the mail server is in trouble."""
    written.drop_expired(now=clock())
    post = Post()
    helped = False
    try:
        while claimed := claim(now=clock()):
            if len(claimed) >= BATCH and not helped:
                helped = _ask_for_help()
            if not send(claimed, channel=post, clock=clock):
                break
    finally:
        post.close()


@transaction.atomic
def claim(*, now: datetime, channel: str = Post.name) -> list[Notice]:
    """Take due notices, and what goes out with them, for one lease, so that nobody else does."""
    room = breaker.room(channel=channel, batch=BATCH, now=now)
    due = Notice.objects.filter(
        state__in=[State.QUEUED, State.SENDING], due_at__isnull=False, due_at__lte=now
    )
    keys = _locked(due.order_by("-urgent", "due_at"), room)
    if not keys or not breaker.take_probe(channel=channel, now=now):
        return []
    keys += _locked(parcels.companions(keys, now=now))
    Notice.objects.filter(pk__in=keys).update(
        state=State.SENDING, due_at=now + settings.NOTICE_LEASE, attempts=F("attempts") + 1
    )
    return list(_whole(Notice.objects.filter(pk__in=keys)))


def send(claimed: list[Notice], *, channel: Channel[Any], clock: Callable[[], datetime]) -> bool:
    """Deal with what was claimed; False, and the rest given back, if the channel does not work."""
    packed = parcels.pack(claimed)
    for number, parcel in enumerate(packed):
        if not _deal_with(parcel, channel, clock):
            _give_back(packed[number + 1 :], clock())
            return False
    return True


def resend(*, notice_ids: Iterable[int], now: datetime) -> int:
    """An operator has failed or stuck notices tried again at once."""
    stuck = Notice.objects.filter(pk__in=notice_ids, state__in=[State.FAILED, State.QUEUED])
    # What was to be said to an address is forgotten once that has failed.
    stuck = stuck.exclude(kind__in=written.KINDS, content__isnull=True)
    return stuck.update(state=State.QUEUED, due_at=now, attempts=0, last_error="")


def _ask_for_help() -> bool:
    """There is more than one batch: another sender, if one is idle, comes at once."""
    try:
        wake_senders()
    except Exception:
        log.warning("nobody can be woken: the broker does not answer")
    return True


def _deal_with(parcel: Parcel, channel: Channel[Any], clock: Callable[[], datetime]) -> bool:
    """Whether the channel can go on with the next one."""
    left = _sift(parcel, clock())
    while left:
        prepared = _prepared(left, channel, clock())
        if prepared is None:
            return True
        if _still_mine(left, clock()):
            return _deliver(left, prepared, channel, clock)
        left = _what_is_left(left)
    return True


def _sift(parcel: Parcel, now: datetime) -> Parcel | None:
    """What is to be sent now; the rest is dropped, fails, or goes back for later."""
    lead = parcel.lead
    if lead.kind in written.KINDS:
        return parcel
    player = lead.reader
    if not (player.is_active and is_confirmed(player)):
        _finish(parcel.notices, State.WITHDRAWN)
        return None
    if lead.kind == Kind.ADDRESS:
        return parcel
    if player.address_refused:
        _finish(parcel.notices, State.FAILED, player.refused_reason)
        return None
    if (awake := out_of_quiet_hours(player, now)) > now:
        _put_back(parcel.notices, awake, counted=False)
        return None
    kept = _what_is_wanted(parcel, now)
    if lead.kind == Kind.DIGEST:
        kept = replace(kept, waiting=_waiting(player, now))
    dropped = set(parcels.superseded(kept.told))
    _finish([each for each in kept.notices if each in dropped], State.WITHDRAWN)
    _drop_waiting(each for each in kept.waiting if each in dropped)
    kept = Parcel(
        tuple(each for each in kept.notices if each not in dropped),
        tuple(each for each in kept.waiting if each not in dropped),
    )
    if kept.told:
        return kept
    _finish(kept.notices, State.WITHDRAWN)
    return None


def _what_is_wanted(parcel: Parcel, now: datetime) -> Parcel:
    """Without what came too late or is not wanted, and what now waits for the daily mail."""
    kept: list[Notice] = []
    dropped: list[Notice] = []
    waits: list[Notice] = []
    in_digest = parcel.lead.kind == Kind.DIGEST
    for notice in parcel.notices:
        if notice.kind == Kind.DIGEST:
            kept.append(notice)
            continue
        wish = parcels.is_wanted(notice)
        if wish is Delivery.NEVER or not _is_telling(notice, now) or parcels.is_seen(notice):
            dropped.append(notice)
        elif wish is Delivery.DIGEST and not in_digest:
            digest = next_digest(notice.reader, now)
            (kept if parcels.comes_too_late(notice, digest) else waits).append(notice)
        else:
            kept.append(notice)
    _finish(dropped, State.WITHDRAWN)
    if waits:
        _put_back(waits, None, counted=False)
        ensure_digest(parcel.lead.reader, now)
    if not in_digest:
        _drop_what_it_says(kept)
    return Parcel(tuple(kept))


def _drop_what_it_says(kept: Iterable[Notice]) -> None:
    """The last reminder says all that waits for the daily email about the same turn."""
    for notice in kept:
        if notice.kind == Kind.LAST:
            waiting = Notice.objects.filter(
                player=notice.player, game=notice.game, kind__in=ABOUT_A_TURN, due_at=None
            )
            waiting.filter(state=State.QUEUED).update(state=State.WITHDRAWN)


def _is_telling(notice: Notice, now: datetime) -> bool:
    return parcels.is_timely(notice) and may_be_told(notice.reader, notice.kind, now)


def _waiting(player: Player, now: datetime) -> tuple[Notice, ...]:
    """What waits for this player's digest and is still worth telling."""
    notices = list(_whole(Notice.objects.filter(player=player, state=State.QUEUED, due_at=None)))
    idle = [each for each in notices if not _is_telling(each, now)]
    _drop_waiting(idle)
    return tuple(each for each in notices if each not in idle)


def _prepared(parcel: Parcel, channel: Channel[Any], now: datetime) -> Any:
    """None if it cannot be written: it is tried again later and holds up no other."""
    try:
        return channel.prepare(parcel, now=now)
    except Exception as error:
        log.exception("notice %s cannot be written", parcel.lead.pk)
        _try_later(parcel, repr(error), now)
        return None


def _still_mine(parcel: Parcel, now: datetime) -> bool:
    """Right before it is sent: whether the claim on every row holds; the lease starts anew."""
    renewed = _mine(parcel.notices).update(due_at=now + settings.NOTICE_LEASE)
    return renewed == len(parcel.notices)


def _what_is_left(parcel: Parcel) -> Parcel | None:
    """Without what was withdrawn, or taken over, while we wrote."""
    held = set(_mine(parcel.notices).values_list("pk", flat=True))
    left = replace(parcel, notices=tuple(each for each in parcel.notices if each.pk in held))
    if left.notices and not left.told:
        _finish(left.notices, State.WITHDRAWN)
        return None
    return left if left.notices else None


def _deliver(
    parcel: Parcel, prepared: Any, channel: Channel[Any], clock: Callable[[], datetime]
) -> bool:
    verdict = channel.deliver(prepared)
    # Nothing comes between the answer and its commit; the clock may be that of the database.
    if verdict is None:
        now = surely(lambda: _sent(parcel, clock()))
        breaker.went_through(channel=channel.name, now=now)
        if parcel.lead.kind == Kind.ADDRESS:
            readers = Player.objects.filter(pk=parcel.lead.reader.pk)
            trust.trust_again(players=readers, now=now)
        return True
    log.warning("notice %s: %s", parcel.lead.pk, verdict.reason)
    held_back = surely(lambda: _refused(parcel, verdict, channel.name, clock()))
    if not verdict.server_works:
        channel.close()
    return verdict.server_works and not held_back


def surely(write: Callable[[], Any]) -> Any:
    """The answer is known and must be written down, also if the database just hung up on us:
    otherwise the mail goes out once more."""
    for pause in RECONNECT_AFTER:
        try:
            return write()
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block:
                raise
            log.warning("the database hung up; trying again in %s s", pause)
            connection.close()
            time.sleep(pause)
    return write()


@transaction.atomic
def _sent(parcel: Parcel, now: datetime) -> datetime:
    # Also if it was withdrawn meanwhile: it is on its way.
    _claims(parcel.notices).update(state=State.SENT, sent_at=now, last_error="", content=None)
    if parcel.waiting:
        waiting = Notice.objects.filter(pk__in=[each.pk for each in parcel.waiting])
        waiting.filter(state=State.QUEUED).update(state=State.SENT, sent_at=now)
    return now


@transaction.atomic
def _refused(parcel: Parcel, verdict: Verdict, channel: str, now: datetime) -> bool:
    """Act on a refusal; whether the channel is held back."""
    held_back = breaker.refused(channel=channel, verdict=verdict, now=now)
    lead = parcel.lead
    address = lead.address or lead.reader.email
    if not verdict.server_works:
        # Nothing is held against a mail that was not even looked at.
        _put_back(
            parcel.notices, now + settings.MAIL_RETRY_PAUSE, counted=False, error=verdict.reason
        )
    elif held_back or verdict.again:
        _try_later(parcel, verdict.reason, now)
        if verdict.about is About.PERHAPS_ADDRESS and not held_back:
            bounces.count(notice=lead, address=address, reason=verdict.reason, now=now)
    else:
        if verdict.about is About.ADDRESS:
            trust.give_up(address=address, reason=verdict.reason, now=now)
        _finish(parcel.notices, State.FAILED, verdict.reason)
    return held_back


def _try_later(parcel: Parcel, reason: str, now: datetime) -> None:
    lead, attempts = parcel.lead, max(each.attempts for each in parcel.notices)
    if attempts >= MOST_ATTEMPTS:
        _finish(parcel.notices, State.FAILED, reason)
        return
    # Who waits for a code in front of a page is not made to wait longer and longer.
    doubled = 0 if lead.urgent else attempts - 1
    pause = min(settings.MAIL_RETRY_PAUSE * 2**doubled, LONGEST_PAUSE)
    _put_back(parcel.notices, now + pause, error=reason)


def _whole(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """With everything that letters are about, in a few queries for all of them."""
    return (
        notices.select_related("player", "game")
        .prefetch_related("game__seats__player", "game__moves")
        .order_by("pk")
    )


def _locked(notices: QuerySet[Notice], most: int | None = None) -> list[int]:
    return list(notices.select_for_update(skip_locked=True).values_list("pk", flat=True)[:most])


def _finish(notices: Iterable[Notice], state: str, error: str = "") -> None:
    _mine(notices).update(state=state, last_error=error[:500], content=None)


def _put_back(
    notices: Iterable[Notice], due: datetime | None, *, counted: bool = True, error: str = ""
) -> None:
    """For another try, or None for the daily mail; one that is not counted never was."""
    attempts = F("attempts") if counted else F("attempts") - 1
    said = {"last_error": error[:500]} if error else {}
    _mine(notices).update(state=State.QUEUED, due_at=due, attempts=attempts, **said)


def _drop_waiting(notices: Iterable[Notice]) -> None:
    keys = [each.pk for each in notices]
    Notice.objects.filter(pk__in=keys, state=State.QUEUED).update(state=State.WITHDRAWN)


def _mine(notices: Iterable[Notice]) -> QuerySet[Notice]:
    """The rows, as long as nobody withdrew them or took them over."""
    return _claims(notices).filter(state=State.SENDING)


def _claims(notices: Iterable[Notice]) -> QuerySet[Notice]:
    """The rows, as long as no other sender claimed them later."""
    keys: dict[int, list[int]] = {}
    for each in notices:
        keys.setdefault(each.attempts, []).append(each.pk)
    claims = (Q(attempts=attempts, pk__in=held) for attempts, held in keys.items())
    return Notice.objects.filter(reduce(or_, claims, Q(pk__in=[])))


def _give_back(rest: Iterable[Parcel], now: datetime) -> None:
    _put_back([each for parcel in rest for each in parcel.notices], now, counted=False)
