"""What is known about players and about the whole site, from the books alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from games.charts import BarChart, LineChart, Series, bar_chart, line_chart
from games.engine.games import RULESETS, ruleset
from games.models import Player, Rating, Rivalry, Shelf, Tally
from games.reckon.fairness import Test, chi_square
from games.selectors.finished import bucket_seconds
from games.selectors.ratings import shown_rating

CURVE = 100
"""How many games the curve of a rating goes back."""


@dataclass(frozen=True)
class Share:
    """Games of some kind, and those that were won."""

    key: int
    games: int
    won: int

    @property
    def percent(self) -> int:
        return round(100 * self.won / self.games) if self.games else 0


@dataclass(frozen=True)
class Numbers:
    """A player in one game of the house."""

    ruleset: str
    games: int
    places: Mapping[int, int]
    sizes: Sequence[Share]
    seats: Sequence[Share]
    edition: str
    sums: Mapping[str, int]
    peaks: Mapping[str, int]
    rating: Rating | None
    curve: LineChart | None

    @property
    def won(self) -> int:
        return self.places.get(1, 0)

    @property
    def average_place(self) -> float:
        return sum(place * count for place, count in self.places.items()) / self.games

    @property
    def place_chart(self) -> BarChart:
        return bar_chart(
            [(str(place), count, str(count)) for place, count in sorted(self.places.items())]
        )

    @property
    def seat_chart(self) -> BarChart:
        return bar_chart(
            [(str(share.key), share.percent, f"{share.percent} %") for share in self.seats],
            most=100,
        )


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
    tallies = Tally.objects.filter(player=player).select_related("shelf").order_by("pk")
    if not private_too:
        tallies = tallies.filter(shelf__public=True)
    found = list(tallies)
    ratings = {rating.ruleset: rating for rating in Rating.objects.filter(player=player)}
    sums = _added(tally.sums for tally in found)
    numbers = [
        _numbers(rules.key, own, ratings.get(rules.key))
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


def head_to_head(me: Player, other: Player) -> HeadToHead:
    """How often I came in before the other, in all games we finished together."""
    low, high = sorted((me, other), key=lambda player: player.pk)
    rivalries = Rivalry.objects.filter(low=low, high=high)
    totals = [0, 0, 0]
    for row in rivalries.values_list("games", "low_ahead", "high_ahead"):
        totals = [total + count for total, count in zip(totals, row, strict=True)]
    games, low_ahead, high_ahead = totals
    ahead, behind = (low_ahead, high_ahead) if me == low else (high_ahead, low_ahead)
    return HeadToHead(games, ahead, behind)


@dataclass(frozen=True)
class Dice:
    """All dice ever rolled in finished games of one kind, against what was to be expected."""

    ruleset: str
    rolls: int
    counts: Mapping[int, int]
    chart: BarChart
    test: Test

    @property
    def percent(self) -> float:
        return 100 * self.test.probability


@dataclass(frozen=True)
class SiteNumbers:
    games: int
    moves: int
    by_game: Sequence[tuple[str, int, int]]
    """Game, finished games, moves."""
    dice: Sequence[Dice]


def site_numbers() -> SiteNumbers:
    shelves = list(Shelf.objects.all())
    by_game = []
    dice = []
    for rules in RULESETS.values():
        own = [shelf for shelf in shelves if shelf.ruleset == rules.key]
        sums = _added(shelf.sums for shelf in own)
        by_game.append((rules.key, sum(shelf.games for shelf in own), sums["moves"]))
        if rules.die and (rolled := _dice(rules.key, sums)):
            dice.append(rolled)
    return SiteNumbers(
        games=sum(games for _, games, _ in by_game),
        moves=sum(moves for _, _, moves in by_game),
        by_game=by_game,
        dice=dice,
    )


def _dice(key: str, sums: Mapping[str, int]) -> Dice | None:
    die = ruleset(key).die
    counts = {face: sums[f"die:{face}"] for face in sorted(set(die))}
    rolls = sum(counts.values())
    if not rolls:
        return None
    expected = [rolls * die.count(face) / len(die) for face in counts]
    return Dice(
        ruleset=key,
        rolls=rolls,
        counts=counts,
        chart=bar_chart(
            [(str(face), count, f"{100 * count / rolls:.1f} %") for face, count in counts.items()],
            expected=expected,
        ),
        test=chi_square(list(counts.values()), expected),
    )


def _numbers(key: str, tallies: Sequence[Tally], rating: Rating | None) -> Numbers:
    sums = _added(tally.sums for tally in tallies)
    peaks: Counter[str] = Counter()
    sizes: dict[int, list[int]] = {}
    editions: Counter[str] = Counter()
    for tally in tallies:
        peaks |= Counter(tally.peaks)
        editions[tally.shelf.edition] += tally.games
        share = sizes.setdefault(tally.shelf.size, [0, 0])
        share[0] += tally.games
        share[1] += tally.sums.get("place:1", 0)
    rated = rating if rating and rating.games else None
    return Numbers(
        ruleset=key,
        games=sum(tally.games for tally in tallies),
        places=_numbered(sums, "place"),
        sizes=[Share(size, *share) for size, share in sorted(sizes.items())],
        seats=[
            Share(seat + 1, games, sums[f"won:{seat}"])
            for seat, games in sorted(_numbered(sums, "seat").items())
        ],
        edition=max(sorted(editions), key=lambda name: editions[name]),
        sums=sums,
        peaks=peaks,
        rating=rating,
        curve=_curve(rated) if rated else None,
    )


def _curve(rating: Rating) -> LineChart:
    """The first point is where the rating stood before the oldest game that is shown."""
    changes = list(rating.changes.order_by("-at").values_list("before", "mu")[:CURVE])[::-1]
    values = [changes[0][0], *(mu for _, mu in changes)]
    return line_chart([Series("", "accent", [shown_rating(mu) for mu in values])])


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
