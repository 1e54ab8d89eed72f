"""A year in carpets: what a player did in one year that is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from games.charts.shades import Calendar, calendar
from games.engine.games import RULESETS
from games.models import Player, Rating, SharedYear
from games.selectors.diary import Month, days_of, lengths, months_of, years_of
from games.selectors.ratings import changes_of, shown_rating
from games.selectors.shares import Share
from games.selectors.sheets import Feat, feats_of


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game of the house in that year."""

    ruleset: str
    share: Share
    moves: int
    sums: Mapping[str, int]
    peaks: Mapping[str, int]
    feats: Sequence[Feat]
    rating: tuple[int, int] | None
    """Before the first rated game of the year, and after the last."""


@dataclass(frozen=True, slots=True)
class Recap:
    player: Player
    year: int
    share: Share
    moves: int
    days: int
    busiest: datetime | None
    calendar: Calendar
    months: Sequence[Month]
    chapters: Sequence[Chapter]


def years_to_see(player: Player, now: datetime, *, own: bool) -> list[int]:
    """Those that others were shown; for own eyes, all that are over and in which games ended. The
    last one first."""
    if not own:
        return list(player.shared_years.order_by("-year").values_list("year", flat=True))
    years = years_of(player, private_too=True)
    return [year for year, counts in years.items() if year < now.year and _games(counts)]


def is_shared(player: Player, year: int) -> bool:
    return SharedYear.objects.filter(player=player, year=year).exists()


def recap(player: Player, year: int, now: datetime, *, private_too: bool) -> Recap | None:
    """None for a year that is not over, or in which no game ended."""
    counts = years_of(player, private_too=private_too).get(year, {})
    if year >= now.year or not _games(counts):
        return None
    by_day = days_of(year, counts)
    busiest = max(by_day, key=lambda day: (by_day[day], -day)) if by_day else None
    first = date(year, 1, 1)
    return Recap(
        player=player,
        year=year,
        share=Share("", _games(counts), _summed(counts, "won:")),
        moves=sum(by_day.values()),
        days=len(by_day),
        busiest=None if busiest is None else _noon(first, busiest),
        calendar=calendar(first.weekday(), lengths(year), by_day),
        months=months_of(year, counts),
        chapters=[
            _chapter(player, key, year, counts, private_too=private_too)
            for key in RULESETS
            if _summed(counts, f"games:{key}:")
        ],
    )


def _chapter(
    player: Player, key: str, year: int, counts: Mapping[str, int], *, private_too: bool
) -> Chapter:
    start = f"sum:{key}:"
    feats = feats_of(player, key, private_too=private_too, year=year)
    return Chapter(
        ruleset=key,
        share=Share("", _summed(counts, f"games:{key}:"), _summed(counts, f"won:{key}:")),
        moves=counts.get(f"moves:{key}", 0),
        sums={n.removeprefix(start): count for n, count in counts.items() if n.startswith(start)},
        peaks={feat.name: feat.value for feat in feats},
        feats=feats,
        rating=_rating(player, key, year, private_too=private_too),
    )


def _rating(player: Player, key: str, year: int, *, private_too: bool) -> tuple[int, int] | None:
    rating = Rating.objects.filter(player=player, ruleset=key).first()
    if rating is None:
        return None
    start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    changes = changes_of(rating, private_too=private_too).filter(at__gte=start, at__lt=end)
    first, last = changes.order_by("at").first(), changes.order_by("-at").first()
    return (shown_rating(first.before), shown_rating(last.mu)) if first and last else None


def _noon(first: date, day: int) -> datetime:
    """The same day in nearly every time zone."""
    return datetime.combine(first + timedelta(days=day), time(12), tzinfo=UTC)


def _games(counts: Mapping[str, int]) -> int:
    return _summed(counts, "games:")


def _summed(counts: Mapping[str, int], start: str) -> int:
    return sum(count for name, count in counts.items() if name.startswith(start))
