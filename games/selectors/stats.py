"""What is known about players, from the books alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.charts.plots import BarChart, LineChart, Series, bar_chart, line_chart
from games.engine.games import RULESETS
from games.models import Player, Rating, Rivalry, Standing, Tally
from games.moments import moment
from games.numerals import grouped
from games.selectors.diary import years_of
from games.selectors.finished import bucket_seconds
from games.selectors.ratings import Known, changes_of, is_settled, known_ratings, shown_rating
from games.selectors.rules import edition_name
from games.selectors.shares import Share, Shares
from games.selectors.sheets import Feat, feats_of

MONTHS = 12
CURVE = 100
"""How many games the curve of a rating goes back."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a game."""

    rating: int
    reach: int
    """So far to both sides of it."""
    at: datetime
    game: str


@dataclass(frozen=True, slots=True)
class RatingCurve:
    chart: LineChart
    points: Sequence[Point]
    """The last one first."""
    labels: Sequence[str]
    """The days of the steps; the first one is before all of these games."""


@dataclass(frozen=True)
class Numbers:
    """A player in one game of the house."""

    ruleset: str
    games: int
    places: Mapping[int, int]
    shares: Sequence[Shares]
    """By number of players, seat, rules and month."""
    edition: str
    sums: Mapping[str, int]
    peaks: Mapping[str, int]
    rating: Known | None
    curve: RatingCurve | None
    streak: int
    best_streak: int
    feats: Sequence[Feat]
    better_than: int | None
    """Percent of those whose ratings are certain."""

    @property
    def won(self) -> int:
        return self.places.get(1, 0)

    @property
    def average_place(self) -> float:
        return sum(place * count for place, count in self.places.items()) / self.games

    @property
    def place_chart(self) -> BarChart:
        return bar_chart(
            [(str(place), count, grouped(count)) for place, count in sorted(self.places.items())]
        )

    @property
    def reach(self) -> int:
        """So far to both sides of the rating lies, nineteen times out of twenty, the truth."""
        return shown_rating(2 * self.rating.sigma) if self.rating else 0


@dataclass(frozen=True)
class Profile:
    games: int
    won: int
    reliability: int | None
    """Percent of the turns that were played in time."""
    answer: timedelta | None
    """The median time that others waited for a turn."""
    numbers: Sequence[Numbers]


def profile_of(player: Player, *, private_too: bool) -> Profile:
    """All numbers of a player; those of private games are the player's own business."""
    tallies = Tally.objects.filter(player=player).select_related("shelf", "player").order_by("pk")
    if not private_too:
        tallies = tallies.filter(shelf__public=True)
    found = list(tallies)
    ratings = {rating.ruleset: rating for rating in Rating.objects.filter(player=player)}
    known = known_ratings([player], private_too=private_too)
    sums = _added(tally.sums for tally in found)
    years = years_of(player, private_too=private_too)
    numbers = [
        _numbers(
            rules.key,
            own,
            ratings[rules.key],
            known.get((player.pk, rules.key)),
            years,
            private_too=private_too,
        )
        for rules in RULESETS.values()
        if (own := [tally for tally in found if tally.shelf.ruleset == rules.key])
    ]
    return Profile(
        games=sum(each.games for each in numbers),
        won=sum(each.won for each in numbers),
        reliability=_percent(sums["turns"], sums["turns"] + sums["left:timeout"]),
        answer=_median(sums),
        numbers=numbers,
    )


@dataclass(frozen=True)
class HeadToHead:
    games: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        return self.games - self.ahead - self.behind

    @property
    def share(self) -> Share:
        return Share("", self.games, self.ahead)


def head_to_head(me: Player, other: Player, *, private_too: bool = True) -> HeadToHead:
    """How often I came in before the other, in all games we finished together."""
    low, high = sorted((me, other), key=lambda player: player.pk)
    rivalries = Rivalry.objects.filter(low=low, high=high)
    if not private_too:
        rivalries = rivalries.filter(shelf__public=True)
    totals = [0, 0, 0]
    for row in rivalries.values_list("games", "low_ahead", "high_ahead"):
        totals = [total + count for total, count in zip(totals, row, strict=True)]
    games, low_ahead, high_ahead = totals
    ahead, behind = (low_ahead, high_ahead) if me == low else (high_ahead, low_ahead)
    return HeadToHead(games, ahead, behind)


def _numbers(
    key: str,
    tallies: Sequence[Tally],
    rating: Rating,
    known: Known | None,
    years: Mapping[int, Mapping[str, int]],
    *,
    private_too: bool,
) -> Numbers:
    sums = _added(tally.sums for tally in tallies)
    peaks: Counter[str] = Counter()
    editions: Counter[str] = Counter()
    for tally in tallies:
        peaks |= Counter(tally.peaks)
        editions[tally.shelf.edition] += tally.games
    return Numbers(
        ruleset=key,
        games=sum(tally.games for tally in tallies),
        places=_numbered(sums, "place"),
        shares=[
            Shares(_("By number of players"), _by_size(tallies)),
            Shares(_("By seat"), _by_seat(sums, tallies)),
            Shares(_("By rules"), _by_edition(key, tallies)),
            Shares(_("By month"), _by_month(key, years)),
        ],
        edition=max(sorted(editions), key=lambda name: editions[name]),
        sums=sums,
        peaks=peaks,
        rating=known,
        curve=_curve(rating, private_too=private_too) if known else None,
        streak=rating.streak,
        best_streak=rating.best_streak,
        feats=feats_of(tallies[0].player, key, private_too=private_too),
        better_than=_better_than(rating, known) if known else None,
    )


def _by_size(tallies: Sequence[Tally]) -> list[Share]:
    found: dict[int, list[Tally]] = {}
    for tally in tallies:
        found.setdefault(tally.shelf.size, []).append(tally)
    return [
        _of_all(ngettext("%(n)d player", "%(n)d players", size) % {"n": size}, own)
        for size, own in sorted(found.items())
    ]


def _by_seat(sums: Mapping[str, int], tallies: Sequence[Tally]) -> list[Share]:
    """What chance would bring depends on how many sat there each time."""
    expected: dict[int, float] = {}
    for tally in tallies:
        for seat, games in _numbered(tally.sums, "seat").items():
            expected[seat] = expected.get(seat, 0.0) + games / tally.shelf.size
    return [
        Share(_("Seat %(n)d") % {"n": seat + 1}, games, sums[f"won:{seat}"], expected[seat] / games)
        for seat, games in sorted(_numbered(sums, "seat").items())
    ]


def _by_edition(key: str, tallies: Sequence[Tally]) -> list[Share]:
    found: dict[str, list[Tally]] = {}
    for tally in tallies:
        found.setdefault(edition_name(key, tally.shelf.edition), []).append(tally)
    return [_of_all(name, own) for name, own in sorted(found.items())]


def _of_all(label: str, tallies: Sequence[Tally]) -> Share:
    """What chance would bring depends on how many sat there each time."""
    games = sum(tally.games for tally in tallies)
    won = sum(tally.sums.get("place:1", 0) for tally in tallies)
    fair = sum(tally.games / tally.shelf.size for tally in tallies) / games
    return Share(label, games, won, fair)


def _by_month(key: str, years: Mapping[int, Mapping[str, int]]) -> list[Share]:
    """The last twelve months in which games ended."""
    found = []
    for year, counts in years.items():
        for month in range(12, 0, -1):
            if games := counts.get(f"games:{key}:{month:02d}"):
                at = datetime(year, month, 15, tzinfo=UTC)
                won = counts.get(f"won:{key}:{month:02d}", 0)
                found.append(Share(moment(at, "month"), games, won))
    return found[:MONTHS]


def _better_than(rating: Rating, known: Known) -> int | None:
    """Of all others whose ratings are certain; None while this one is not."""
    if not is_settled(known.sigma):
        return None
    board = Standing.objects.filter(ruleset=rating.ruleset, year=0, size=0, settled=True)
    others = board.exclude(player=rating.player_id)
    total = others.count()
    return _percent(others.filter(mu__lt=known.mu).count(), total)


def _curve(rating: Rating, *, private_too: bool) -> RatingCurve:
    """The first point is where the rating stood before the oldest game that is shown."""
    latest = changes_of(rating, private_too=private_too).order_by("-at")
    names = ("before", "mu", "sigma", "at", "game__public_id")
    changes = list(latest.values_list(*names)[:CURVE])
    points = [
        Point(shown_rating(mu), shown_rating(2 * sigma), at, game)
        for _, mu, sigma, at, game in changes
    ]
    before, rising = shown_rating(changes[-1][0]), points[::-1]
    return RatingCurve(
        chart=line_chart(
            [Series("", "accent", [before, *(point.rating for point in rising)])],
            reach=[rising[0].reach, *(point.reach for point in rising)],
        ),
        points=points,
        labels=["", *(moment(point.at, "short") for point in rising)],
    )


def _added(sums: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in sums:
        total.update(each)
    return total


def _numbered(sums: Mapping[str, int], name: str) -> dict[int, int]:
    """The sums `name:1`, `name:2`, … by their number."""
    start = f"{name}:"
    return {int(key.removeprefix(start)): sums[key] for key in sums if key.startswith(start)}


def _median(sums: Mapping[str, int]) -> timedelta | None:
    answers = sorted(_numbered(sums, "answer").items())
    half = sum(count for _, count in answers) / 2
    for bucket, count in answers:
        half -= count
        if half <= 0:
            return timedelta(seconds=round(bucket_seconds(bucket)))
    return None


def _percent(part: int, whole: int) -> int | None:
    return round(100 * part / whole) if whole else None
