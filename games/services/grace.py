"""Nobody loses a seat without having been told that it was their turn.

If the first notification about a turn is late through our own fault (no sender ran, no mail went
out, or we kept it for a daily email), the clock gets time again when it has run down: until it has
gone out, and then long enough to answer it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q, QuerySet

from games.models import Errand, Game, Notice, Seat
from games.reckon.running_time import running
from games.selectors.notices import mail_is_held_back
from games.services import clock
from games.services.notices import queue
from games.services.notices.wishes import ABOUT_A_TURN, soon

Kind, State = Notice.Kind, Notice.State

LATE = timedelta(hours=1)
LONGEST = timedelta(days=1)
NOTHING = timedelta()


@transaction.atomic
def give_grace(*, game_id: int, now: datetime) -> bool:
    """Put off a deadline that has passed, if whoever let it pass was not told in time."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if game.to_act is None or game.deadline is None or game.deadline > now:
        return False
    seat = game.to_act
    left = _left(game, seat, now)
    if left <= NOTHING:
        return False
    rhythm = clock.rhythm_of(seat.player, since=now)
    game.deadline = clock.set_again(seat, left=left, rhythm=rhythm, now=now)
    game.save(update_fields=["deadline"])
    queue.set_reminders(game, seat, rhythm, now)
    return True


def _left(game: Game, seat: Seat, now: datetime) -> timedelta:
    """What is due to the seat: half a turn, at most a day, from the first word on."""
    assert seat.turn_bank is not None
    about = Notice.objects.filter(game=game, player=seat.player, kind__in=ABOUT_A_TURN)
    turn = about.filter(kind=Kind.TURN).order_by("-move_number").first()
    knows = 0 < game.move_count <= seat.seen_moves
    unreachable = seat.player.address_refused and not seat.player.has_device
    if turn is None or knows or unreachable:
        return NOTHING
    about = about.filter(move_number__gte=turn.move_number)
    on_time = soon(seat.player, Kind.TURN, turn.created_at) + LATE
    grace = min(seat.turn_bank / 2, LONGEST)
    first = _first_told(about)
    if first and first > on_time:
        return grace - running(clock.rhythm_of(seat.player, since=first), first, now)
    if first or now <= on_time:
        return NOTHING
    on_device = seat.player.has_device and _waits_for_devices(about, now)
    return grace if on_device or _is_our_fault(about) else NOTHING


def _is_our_fault(about: QuerySet[Notice]) -> bool:
    """A mailbox that refuses this mail, while others get theirs, is not."""
    unsent = about.filter(state__in=[State.QUEUED, State.SENDING])
    untouched = unsent.filter(Q(attempts=0) | Q(state=State.SENDING))
    return untouched.exists() or (unsent.exists() and mail_is_held_back())


def _waits_for_devices(about: QuerySet[Notice], now: datetime) -> bool:
    """Whether a push message is overdue that was never attempted."""
    errands = Errand.objects.filter(notice__in=about, device__isnull=False)
    untouched = errands.filter(state=State.QUEUED, attempts=0)
    return untouched.exists() or about.filter(push_at__lte=now).exists()


def _first_told(about: QuerySet[Notice]) -> datetime | None:
    """When the first email or the first word on a device went out."""
    on_devices = Errand.objects.filter(notice__in=about, device__isnull=False)
    sent = [
        told.filter(state=State.SENT).aggregate(first=Min("sent_at"))["first"]
        for told in (about, on_devices)
    ]
    return min((at for at in sent if at), default=None)
