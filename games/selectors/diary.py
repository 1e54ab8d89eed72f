"""When somebody plays: by day, by hour of the day, and how long a turn takes."""

from __future__ import annotations

import calendar as weeks
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils.timesince import timesince
from django.utils.timezone import localtime

from games.charts.plots import BarChart, bar_chart
from games.charts.shades import Calendar, calendar
from games.models import Player, Tally
from games.selectors.finished import bucket_seconds
from games.selectors.shares import added
from games.selectors.sheets import Counts, sheets

WAITS = (
    timedelta(minutes=5),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(days=1),
    timedelta(days=3),
)
"""Where the bars of waiting times end."""


@dataclass(frozen=True, slots=True)
class Month:
    first: date
    moves: int
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class Diary:
    year: int
    years: Sequence[int]
    moves: int
    days: int
    """On so many days at least one move was made."""
    chart: Calendar
    months: Sequence[Month]
    hours: BarChart | None
    """For own eyes only."""
    answers: BarChart | None
    """How long others waited for a turn, of all years."""


def years_of(player: Player, *, private_too: bool) -> dict[int, Counts]:
    """The counters of each year in which the player moved."""
    found: dict[int, list[Counts]] = {}
    rows = sheets(player, "year", private_too=private_too).values_list("year", "counts")
    for year, counts in rows:
        found.setdefault(year, []).append(counts)
    return {year: added(counts) for year, counts in sorted(found.items(), reverse=True)}


def diary(
    player: Player, year: int | None, *, now: datetime, private_too: bool, own: bool
) -> Diary | None:
    """Of a year, or of the last one with moves; None where there is none."""
    years = years_of(player, private_too=private_too)
    if not years:
        return None
    chosen = year if year in years else next(iter(years))
    counts = years[chosen]
    by_day = days_of(chosen, counts)
    return Diary(
        year=chosen,
        years=list(years),
        moves=sum(by_day.values()),
        days=len(by_day),
        chart=calendar(date(chosen, 1, 1).weekday(), lengths(chosen), by_day),
        months=months_of(chosen, counts),
        hours=_hours(counts, now) if own else None,
        answers=_answers(player, private_too=private_too),
    )


def lengths(year: int) -> list[int]:
    return [weeks.monthrange(year, month)[1] for month in range(1, 13)]


def days_of(year: int, counts: Mapping[str, int]) -> dict[int, int]:
    """Moves by the number of the day in its year."""
    start = date(year, 1, 1)
    return {
        (date.fromisoformat(f"{year}-{name.removeprefix('day:')}") - start).days: count
        for name, count in counts.items()
        if name.startswith("day:")
    }


def months_of(year: int, counts: Mapping[str, int]) -> list[Month]:
    def summed(what: str, month: int) -> int:
        ending = f":{month:02d}"
        return sum(n for name, n in counts.items() if name.startswith(what) and ending in name)

    def moves(month: int) -> int:
        start = f"day:{month:02d}-"
        return sum(count for name, count in counts.items() if name.startswith(start))

    return [
        Month(date(year, m, 1), moves(m), summed("games:", m), summed("won:", m))
        for m in range(1, 13)
    ]


def _answers(player: Player, *, private_too: bool) -> BarChart | None:
    tallies = Tally.objects.filter(player=player)
    if not private_too:
        tallies = tallies.filter(shelf__public=True)
    found = [0] * (len(WAITS) + 1)
    for name, count in added(tallies.values_list("sums", flat=True)).items():
        if name.startswith("answer:"):
            seconds = bucket_seconds(int(name.removeprefix("answer:")))
            found[sum(seconds >= wait.total_seconds() for wait in WAITS)] += count
    total = sum(found)
    if not total:
        return None
    labels = [*(f"< {_length(wait)}" for wait in WAITS), f"≥ {_length(WAITS[-1])}"]
    return bar_chart(
        [
            (label, count, f"{round(100 * count / total)} %")
            for label, count in zip(labels, found, strict=True)
        ]
    )


def _length(wait: timedelta) -> str:
    start = datetime(2000, 1, 1, tzinfo=UTC)
    return timesince(start, start + wait, depth=1)


def _hours(counts: Mapping[str, int], now: datetime) -> BarChart:
    """In the time of the reader, who is the player."""
    offset = localtime(now).utcoffset() or timedelta()
    shift = round(offset.total_seconds() / 3600)
    local = [counts.get(f"hour:{(hour - shift) % 24}", 0) for hour in range(24)]
    return bar_chart([(str(hour), count, "") for hour, count in enumerate(local)])
