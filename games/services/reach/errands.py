"""The outbox beside mail: errands to devices and webhooks are made of notices, claimed for a
lease, and tried again with growing pauses, as mail is (see notices.outbox).

An errand that was delivered is written down before anything else, so one comes twice only if its
sender died, or the connection was cut, between the answer and our commit.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from games import workers
from games.models import Device, Errand, Game, Notice, Player, Webhook
from games.services.notices import subscriptions
from games.services.notices.outbox import surely
from games.services.notices.parcels import is_timely, seat_of
from games.services.notices.wishes import (
    ABOUT_A_TURN,
    HOOKED,
    by_push,
    may_be_told,
    out_of_quiet_hours,
)
from games.services.reach import hooks, push
from games.services.reach.outcome import Outcome

log = logging.getLogger(__name__)
Kind, State = Errand.Kind, Errand.State

BATCH = 20
AT_ONCE = 200
MOST_ATTEMPTS = 11
"""With pauses that double from a minute: about a day."""
LONGEST_PAUSE = timedelta(hours=12)
AT_ANY_HOUR = (Kind.CLOSE, Kind.TEST)
AT_A_GO = 10.0
"""Seconds after which the worker is free for others: codes to sign in with wait for it, too."""


def wake() -> None:
    workers.wake(workers.ERRANDS)


def drain(*, clock: Callable[[], datetime], seconds: Callable[[], float] = time.monotonic) -> None:
    """What is due, for so long; who hangs once is left alone until the next time."""
    silent: set[object] = set()
    while fan_out(now=clock()):
        pass
    take_back(now=clock())
    until = seconds() + AT_A_GO
    while claimed := claim(now=clock()):
        for errand in claimed:
            if seconds() < until:
                _send(errand, silent, clock)
            else:
                _put_back(errand, clock())
        if seconds() >= until:
            # Without a broker the next sweep goes on.
            with suppress(Exception):
                wake()
            return


@transaction.atomic
def fan_out(*, now: datetime) -> int:
    """Notices whose time has come become errands, one for each device and webhook."""
    due = Notice.objects.filter(push_at__lte=now).order_by("push_at")
    keys = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True)[:AT_ONCE])
    if not keys:
        return 0
    whole = Notice.objects.filter(pk__in=keys).select_related("player", "game", "game__creator")
    notices = [each for each in whole.prefetch_related("game__seats__player") if is_timely(each)]
    rows = [*_to_devices(notices, now), *_to_webhooks(notices, now)]
    Errand.objects.bulk_create(rows, ignore_conflicts=True)
    Notice.objects.filter(pk__in=keys).update(push_at=None)
    return len(keys)


@transaction.atomic
def take_back(*, now: datetime) -> int:
    """What a device shows of a turn that is over is closed there."""
    over = Q(game__to_act=None) | ~Q(game__to_act__player=F("device__player"))
    found = Errand.objects.filter(over, shown=True).select_for_update(
        skip_locked=True, of=("self",)
    )
    shown = {(each.device_id, each.game_id): each for each in found[:AT_ONCE]}
    Errand.objects.bulk_create(
        Errand(
            device_id=device,
            game_id=game,
            move_number=each.move_number,
            kind=Kind.CLOSE,
            created_at=now,
            due_at=now,
        )
        for (device, game), each in shown.items()
    )
    for device, game in shown:
        Errand.objects.filter(device=device, game=game, shown=True).update(shown=False)
    return len(shown)


@transaction.atomic
def claim(*, now: datetime) -> list[Errand]:
    due = Errand.objects.filter(
        state__in=[State.QUEUED, State.SENDING], due_at__isnull=False, due_at__lte=now
    )
    locked = due.order_by("due_at").select_for_update(skip_locked=True)
    keys = list(locked.values_list("pk", flat=True)[:BATCH])
    Errand.objects.filter(pk__in=keys).update(
        state=State.SENDING, due_at=now + settings.NOTICE_LEASE, attempts=F("attempts") + 1
    )
    claimed = Errand.objects.filter(pk__in=keys).select_related(
        "device__player", "webhook__owner", "game", "notice__player", "notice__game"
    )
    return list(claimed.prefetch_related("game__seats__player", "game__moves").order_by("pk"))


def _to_devices(notices: Iterable[Notice], now: datetime) -> Iterable[Errand]:
    wanted = {each.pk: each for each in notices if by_push(each.reader, seat_of(each), each.kind)}
    readers = {each.player_id for each in wanted.values()}
    devices: dict[int, list[Device]] = {}
    for device in Device.objects.filter(player__in=readers):
        devices.setdefault(device.player_id, []).append(device)
    for notice in wanted.values():
        for device in devices.get(notice.reader.pk, ()):
            yield Errand(device=device, **_about(notice, now))


def _to_webhooks(notices: Iterable[Notice], now: datetime) -> Iterable[Errand]:
    told = [each for each in notices if each.kind in HOOKED and each.game]
    about = Q(owner__in=[each.player_id for each in told], game=None)
    about |= Q(game__in=[each.game_id for each in told])
    on = Webhook.objects.filter(about, off_since=None, owner__is_active=True)
    for webhook in on.select_related("owner"):
        for notice in told:
            own = webhook.game_id is None and webhook.owner_id == notice.player_id
            own = own and may_be_told(webhook.owner, notice.kind, now)
            if own or webhook.game_id == notice.game_id:
                content = hooks.written(webhook, notice, now=now)
                yield Errand(webhook=webhook, content=content, **_about(notice, now))


def _about(notice: Notice, now: datetime) -> dict[str, object]:
    return {
        "notice": notice,
        "game": notice.game,
        "move_number": notice.move_number,
        "kind": notice.kind,
        "created_at": now,
        "due_at": now,
    }


def _send(errand: Errand, silent: set[object], clock: Callable[[], datetime]) -> None:
    now = clock()
    places = _places(errand)
    if errand.device and not _is_wanted(errand, now):
        return
    if errand.webhook and _is_off(errand.webhook, errand.kind):
        _mine(errand).update(state=State.WITHDRAWN, due_at=None)
        return
    if silent & places:
        _put_back(errand, now + settings.MAIL_RETRY_PAUSE)
        return
    channel = push if errand.device else hooks
    try:
        outcome = channel.deliver(errand, now=now)
    except Exception as error:
        log.exception("errand %s cannot be written", errand.pk)
        outcome = Outcome(repr(error)[:200], again=True)
    if outcome.is_silent:
        silent |= places
    # Also if the database just hung up on us: otherwise it is told once more.
    surely(lambda: record(errand, outcome, now=clock()))
    if errand.device and outcome.gone:
        subscriptions.follow_devices(player=errand.device.player, now=clock())


def _is_off(webhook: Webhook, kind: str) -> bool:
    """A test shows whether one that was switched off works again."""
    return not webhook.owner.is_active or (webhook.off_since is not None and kind != Kind.TEST)


def _places(errand: Errand) -> set[object]:
    """What is left alone when nobody answers there: the host, and all other devices (or webhooks)
    of the same player, who may have given us a host of its own for each of them."""
    if errand.device:
        return {errand.device.endpoint.split("/")[2], (Device, errand.device.player_id)}
    assert errand.webhook
    return {errand.webhook.url.split("/")[2], (Webhook, errand.webhook.owner_id)}


def _is_wanted(errand: Errand, now: datetime) -> bool:
    """Of an errand to a device: whether it goes out now; if not, it is dealt with."""
    assert errand.device
    player = errand.device.player
    if not _is_true(errand, player, now):
        _mine(errand).update(state=State.WITHDRAWN, due_at=None)
        return False
    awake = out_of_quiet_hours(player, now)
    if awake > now and errand.kind not in AT_ANY_HOUR:
        _put_back(errand, awake)
        return False
    return True


def _is_true(errand: Errand, player: Player, now: datetime) -> bool:
    """Whether what it says still holds."""
    if errand.notice:
        told = player.is_active and may_be_told(player, errand.kind, now)
        return told and is_timely(errand.notice)
    if errand.kind != Kind.CLOSE or errand.game is None:
        return True
    # Tried again late, it would close what is shown of the turn that came since.
    return not Game.objects.filter(pk=errand.game.pk, to_act__player=player).exists()


@transaction.atomic
def record(errand: Errand, outcome: Outcome, *, now: datetime) -> None:
    """What became of it."""
    said = {
        "status": outcome.status or None,
        "took_ms": outcome.took_ms,
        "last_error": "" if outcome.is_good else outcome.reason[:200],
    }
    mine = Errand.objects.filter(pk=errand.pk, attempts=errand.attempts)
    if outcome.is_good:
        shown = errand.device_id is not None and errand.kind in ABOUT_A_TURN
        mine.update(state=State.SENT, sent_at=now, due_at=None, shown=shown, **said)
    elif outcome.again and errand.attempts < MOST_ATTEMPTS:
        doubled = settings.MAIL_RETRY_PAUSE * 2 ** (errand.attempts - 1)
        pause = min(max(doubled, outcome.after or timedelta()), LONGEST_PAUSE)
        mine.filter(state=State.SENDING).update(state=State.QUEUED, due_at=now + pause, **said)
    else:
        mine.filter(state=State.SENDING).update(state=State.FAILED, due_at=None, **said)
    if errand.device:
        push.noted(errand.device, outcome, now=now)
    elif errand.webhook:
        given_up = not outcome.is_good and (not outcome.again or errand.attempts >= MOST_ATTEMPTS)
        hooks.noted(errand.webhook, outcome, given_up=given_up, now=now)


def _put_back(errand: Errand, due: datetime) -> None:
    """It was not tried, so it does not count."""
    _mine(errand).update(state=State.QUEUED, due_at=due, attempts=F("attempts") - 1)


def _mine(errand: Errand) -> QuerySet[Errand]:
    return Errand.objects.filter(pk=errand.pk, attempts=errand.attempts, state=State.SENDING)
