"""What players and pages may know about time: zones and vacations."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import Now

from games.models import Player, Vacation
from games.selectors.prepared import Given

VACATION_A_YEAR = timedelta(days=30)
APART = timedelta(days=7)
"""What must lie between two vacations that are not one."""


def zone_of(player: Player) -> ZoneInfo:
    """The zone the player chose; somebody who chose none lives in UTC."""
    try:
        return ZoneInfo(player.time_zone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def vacation_spent(player: Player, year: int) -> timedelta:
    """How much of a calendar year, in the player's zone, is or will be vacation."""
    begin, end = _year(player, year)
    spent = timedelta()
    for vacation in Vacation.objects.filter(player=player, end__gt=begin, start__lt=end):
        spent += min(vacation.end, end) - max(vacation.start, begin)
    return spent


def vacation_left(player: Player, at: datetime) -> timedelta:
    """What is left for the calendar year of that moment."""
    year = at.astimezone(zone_of(player)).year
    return max(VACATION_A_YEAR - vacation_spent(player, year), timedelta())


def years_touched(player: Player, start: datetime, end: datetime) -> range:
    zone = zone_of(player)
    last_moment = end - timedelta(microseconds=1)
    return range(start.astimezone(zone).year, last_moment.astimezone(zone).year + 1)


def vacations_to_come(player: Player, now: datetime) -> list[Vacation]:
    """The one that is on, if any, and those that are planned."""
    return list(Vacation.objects.filter(player=player, end__gt=now))


def vacation_in_a_row(player: Player, start: datetime, end: datetime) -> timedelta:
    """How much vacation there is, without a week in between, with and around this one."""
    taken = Vacation.objects.filter(player=player).values_list("start", "end")
    total, last, own = timedelta(), None, False
    for begin, finish in sorted({*taken, (start, end)}):
        if last is None or begin - last >= APART:
            if own:
                break
            total = timedelta()
        total += finish - begin
        own = own or (begin, finish) == (start, end)
        last = finish
    return total


def away_at(now: datetime | Given) -> Exists:
    """For a query of seats: whether the player of a seat is on vacation at that moment."""
    return Exists(
        Vacation.objects.filter(player=OuterRef("player_id"), start__lte=now, end__gt=now)
    )


def back_at() -> Subquery:
    """For a query of seats: when the player of a seat is back, if on vacation now."""
    on = Vacation.objects.filter(player=OuterRef("player_id"), start__lte=Now(), end__gt=Now())
    return Subquery(on.values("end")[:1])


def _year(player: Player, year: int) -> tuple[datetime, datetime]:
    zone = zone_of(player)
    begin, end = datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)
    return begin.astimezone(UTC), end.astimezone(UTC)
