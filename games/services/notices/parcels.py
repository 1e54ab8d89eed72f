"""What goes out together as one mail, and what need not go out at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Game, Notice, Seat
from games.selectors.notices import lines_for
from games.selectors.puzzles import is_unanswered
from games.services.clock import left_of, rhythm_of
from games.services.notices.queue import SHORTEST_LAST_CALL
from games.services.notices.wishes import (
    ABOUT_A_TURN,
    Delivery,
    delivery,
    has_looked,
)

Kind, State = Notice.Kind, Notice.State

TOGETHER = timedelta(hours=1)
"""What a reader would be told within this time anyway is told at once."""
PRESSING = (Kind.LAST, Kind.HALF, Kind.GO_ON, Kind.AFTER_7, Kind.AFTER_3, Kind.TURN)


@dataclass(frozen=True)
class Parcel:
    """Claimed notices for one reader; `waiting` is what a digest takes along, unclaimed."""

    notices: tuple[Notice, ...]
    waiting: tuple[Notice, ...] = ()

    @property
    def lead(self) -> Notice:
        """The one that the mail is named after."""
        order = (Kind.DIGEST, *PRESSING)
        rank = {kind: number for number, kind in enumerate(order)}
        return min(self.notices, key=lambda each: (rank.get(Kind(each.kind), len(rank)), each.pk))

    @property
    def told(self) -> tuple[Notice, ...]:
        """What there is to say; a digest by itself says nothing."""
        everything = sorted((*self.notices, *self.waiting), key=lambda each: each.pk)
        return tuple(each for each in everything if each.kind != Kind.DIGEST)

    @property
    def is_list(self) -> bool:
        return len(self.told) > 1 or self.lead.kind == Kind.DIGEST


def companions(keys: Sequence[int], *, now: datetime) -> QuerySet[Notice]:
    """What is due within the hour for the readers of these notices."""
    taken = Notice.objects.filter(pk__in=keys, player__isnull=False).exclude(kind=Kind.ADDRESS)
    # Read first, and few: by a sub-query, PostgreSQL would read all that is queued.
    readers = set(taken.values_list("player", flat=True))
    return Notice.objects.filter(
        player__in=readers, state=State.QUEUED, due_at__lte=now + TOGETHER
    ).exclude(Q(pk__in=keys) | Q(kind=Kind.ADDRESS))


def pack(claimed: Iterable[Notice]) -> list[Parcel]:
    """One parcel for each reader; what somebody waits for, and a test, goes first and alone."""
    alone: list[Parcel] = []
    by_reader: dict[int, list[Notice]] = {}
    for notice in sorted(claimed, key=lambda each: (not each.urgent, each.pk)):
        if notice.player_id is None or notice.kind == Kind.ADDRESS:
            alone.append(Parcel((notice,)))
        else:
            by_reader.setdefault(notice.player_id, []).append(notice)
    return alone + [Parcel(tuple(notices)) for notices in by_reader.values()]


def is_timely(notice: Notice) -> bool:
    """Whether there is still a point in sending it."""
    game = notice.game
    if notice.kind == Kind.PUZZLE:
        return is_unanswered(notice.move_number, notice.reader)
    if game is None:
        return True
    if notice.kind in ABOUT_A_TURN:
        own = (seat for seat in game.seats.all() if seat.player_id == notice.player_id)
        return any(seat.pk == game.to_act_id for seat in own)
    if notice.kind == Kind.INVITATION:
        return game.status == Game.Status.OPEN
    if notice.kind == Kind.DECLINED:
        declined = game.invitations.filter(pk=notice.move_number, declined_at__isnull=False)
        return game.status == Game.Status.OPEN and declined.exists()
    if notice.kind == Kind.EXPIRED:
        return game.status == Game.Status.EXPIRED
    if notice.kind == Kind.STARTED:
        return game.status == Game.Status.RUNNING
    if notice.kind == Kind.MESSAGE:
        return lines_for(notice).exists()
    return True


def is_wanted(notice: Notice) -> Delivery:
    """How its reader wants it now."""
    return delivery(notice.reader, seat_of(notice), notice.kind)


def comes_too_late(notice: Notice, digest: datetime) -> bool:
    """Whether this is the last reminder, and the time is over, or nearly, before a daily email
    goes out at that moment."""
    seat = seat_of(notice)
    if notice.kind != Kind.LAST or seat is None or seat.clock_since is None:
        return False
    rhythm = rhythm_of(seat.player, since=seat.clock_since)
    return left_of(seat, rhythm, digest) < SHORTEST_LAST_CALL


def is_seen(notice: Notice) -> bool:
    """Whether a mail would tell its reader nothing that was not looked at already."""
    return has_looked(notice, seat_of(notice))


def seat_of(notice: Notice) -> Seat | None:
    """The reader's own."""
    seats = notice.game.seats.all() if notice.game else ()
    return next((each for each in seats if each.player_id == notice.player_id), None)


def superseded(notices: Sequence[Notice]) -> Iterator[Notice]:
    """Those of which a later one says more: after an outage several are about the same turn."""
    for notice in notices:
        others = [each for each in notices if each.game_id == notice.game_id and each != notice]
        kinds = {each.kind for each in others}
        if notice.kind == Kind.STARTED and kinds & {*ABOUT_A_TURN, Kind.OVER, Kind.SEAT_LOST}:
            yield notice
        elif notice.kind in PRESSING:
            later = PRESSING[: PRESSING.index(Kind(notice.kind))]
            if kinds & set(later):
                yield notice
