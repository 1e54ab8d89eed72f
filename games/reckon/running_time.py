"""How long a player's clock runs between two moments, and when it will have run so long.

A clock stands still in the quiet hours (a daily window on the wall clock of the player's
own zone) and in vacations. Everything here is a pure function of a `Rhythm`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]

DAY = timedelta(days=1)
GREENWICH = ZoneInfo("UTC")
LONGEST_QUIET = timedelta(hours=10)
SHORTEST_WAKING = DAY - LONGEST_QUIET


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When a player's clock stands still.

    `quiet` is a window of the wall clock that may wrap midnight; it pauses the clock from
    `quiet_counts_from` on. `away` holds the vacations, in order and apart from each other.
    """

    zone: ZoneInfo = GREENWICH
    quiet: tuple[time, time] | None = None
    quiet_counts_from: datetime | None = None
    away: tuple[Span, ...] = ()


def running(rhythm: Rhythm, start: datetime, end: datetime) -> timedelta:
    """How long the clock runs from `start` to `end`."""
    total = end - start
    for begin, finish in _pauses(rhythm, start):
        if begin >= end:
            break
        total -= min(finish, end) - max(begin, start)
    return total


def moment_after(rhythm: Rhythm, start: datetime, amount: timedelta) -> datetime:
    """The last moment at which the clock, running from `start`, has not run over `amount`.

    A clock that stands still cannot run out: a moment at the edge of a pause is its end.
    """
    at = start
    for begin, finish in _pauses(rhythm, start):
        awake = max(begin - at, timedelta())
        if amount < awake:
            break
        amount -= awake
        at = finish
    return at + amount


def after_quiet_hours(rhythm: Rhythm, at: datetime) -> datetime:
    """The first moment from `at` on that is outside the quiet hours (vacations do not count)."""
    for begin, finish in _nights(rhythm, at):
        if begin > at:
            break
        at = max(at, finish)
    return at


def before_quiet_hours(rhythm: Rhythm, at: datetime) -> datetime:
    """The last moment up to `at` outside the quiet hours, or `at` itself if they do not hide it."""
    for begin, finish in _nights(rhythm, at):
        if begin > at:
            break
        if at < finish:
            return begin
    return at


def quiet_may_count_from(old: Rhythm, now: datetime) -> datetime | None:
    """From when a changed quiet window may pause the clock.

    Between two pauses a clock runs at least `SHORTEST_WAKING`; otherwise somebody who moves
    the window before it ends would never run out of time.
    """
    rested = [
        min(finish, now)
        for begin, finish in _counted_nights_before(old, now)
        if finish > now - SHORTEST_WAKING
    ]
    free = max(rested) + SHORTEST_WAKING if rested else now
    earlier = old.quiet_counts_from
    latest = max(free, earlier) if earlier else free
    return latest if latest > now else None


def window_length(quiet: tuple[time, time]) -> timedelta:
    """How long the window is on a day without a change of the clocks."""
    begin, finish = (datetime.combine(date(2000, 1, 1), edge) for edge in quiet)
    return (finish - begin) % DAY


def _counted_nights_before(rhythm: Rhythm, now: datetime) -> Iterator[Span]:
    for begin, finish in _counted(rhythm, _nights(rhythm, now - 2 * DAY)):
        if begin >= now:
            return
        yield begin, finish


def _counted(rhythm: Rhythm, nights: Iterator[Span]) -> Iterator[Span]:
    bound = rhythm.quiet_counts_from
    for begin, finish in nights:
        if bound is None:
            yield begin, finish
        elif finish > bound:
            yield max(begin, bound), finish


def _pauses(rhythm: Rhythm, start: datetime) -> Iterator[Span]:
    """All pauses that end after `start`, merged where they touch, in order, maybe for ever."""
    away = (span for span in rhythm.away if span[1] > start)
    current: Span | None = None
    for begin, finish in heapq.merge(_counted(rhythm, _nights(rhythm, start)), away):
        if finish <= start:
            continue
        if current and begin <= current[1]:
            current = current[0], max(current[1], finish)
        else:
            if current:
                yield current
            current = begin, finish
    if current:
        yield current


def _nights(rhythm: Rhythm, start: datetime) -> Iterator[Span]:
    """The quiet hours of each day that may touch `start` or a later moment, for ever."""
    if rhythm.quiet is None:
        return
    begin, finish = rhythm.quiet
    wraps = finish <= begin
    day = start.astimezone(rhythm.zone).date() - DAY
    while True:
        last_day = day + DAY if wraps else day
        yield (
            _first_moment(rhythm.zone, datetime.combine(day, begin)),
            _last_moment(rhythm.zone, datetime.combine(last_day, finish)),
        )
        day += DAY


def _first_moment(zone: ZoneInfo, wall: datetime) -> datetime:
    """When the wall clock first shows `wall` or, where it jumps over it, when it jumps."""
    before, after = _readings(zone, wall)
    return before if before <= after else _jump(zone, after, before)


def _last_moment(zone: ZoneInfo, wall: datetime) -> datetime:
    """When the wall clock last shows `wall` or, where it jumps over it, when it jumps."""
    before, after = _readings(zone, wall)
    return after if before <= after else _jump(zone, after, before)


def _readings(zone: ZoneInfo, wall: datetime) -> tuple[datetime, datetime]:
    """`wall` read with the offset before and after a change nearby; mostly the same moment."""
    before = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    after = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return before, after


def _jump(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """The moment between `low` and `high` at which the zone's offset changes, to the second."""
    old = low.astimezone(zone).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == old:
            low = middle
        else:
            high = middle
    return high
