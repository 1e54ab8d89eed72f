"""What is known about the whole site, from the books of public games alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import titles
from games.charts.plots import BarChart, bar_chart
from games.engine.games import RULESETS, ruleset
from games.models import Shelf
from games.moments import moment, month_in_short
from games.numerals import grouped
from games.reckon.fairness import Bet, bet_against
from games.selectors.finished import SPREADS
from games.selectors.playing import Playing, playing
from games.selectors.shares import Share, Shares, added
from games.selectors.sheets import Counts, Feat, feats_of, sheets

MONTHS = 24


@dataclass(frozen=True, slots=True)
class Tested:
    """Rolls of one kind, and the bet against the die that made them."""

    label: str
    rolls: int
    bet: Bet


@dataclass(frozen=True, slots=True)
class Dice:
    """All dice ever rolled in public games of one kind, against what was to be expected."""

    ruleset: str
    rolls: int
    counts: Mapping[int, int]
    chart: BarChart
    tests: Sequence[Tested]
    """All rolls first, then those of each kind of table."""

    @property
    def alarms(self) -> bool:
        return any(test.bet.alarms for test in self.tests)


@dataclass(frozen=True, slots=True)
class SiteNumbers:
    games: int
    moves: int
    by_game: Sequence[tuple[str, int, int]]
    """Game, finished games, moves."""
    dice: Sequence[Dice]
    feats: Sequence[Feat]
    """The greatest of each game."""
    months: BarChart | None
    months_table: Sequence[tuple[str, int, int]]


def site_numbers() -> SiteNumbers:
    shelves = list(Shelf.objects.filter(public=True))
    by_game, dice = [], []
    for rules in RULESETS.values():
        own = [shelf for shelf in shelves if shelf.ruleset == rules.key]
        sums = added(shelf.sums for shelf in own)
        by_game.append((rules.key, sum(shelf.games for shelf in own), sums.get("moves", 0)))
        if rules.die and (rolled := _dice(rules.key, own)):
            dice.append(rolled)
    months = _months()
    return SiteNumbers(
        games=sum(games for _key, games, _moves in by_game),
        moves=sum(moves for _key, _games, moves in by_game),
        by_game=by_game,
        dice=dice,
        feats=[feat for key, games, _moves in by_game if games for feat in _greatest(key)],
        months=_months_chart(months) if months else None,
        months_table=[(moment(at, "month"), *counts) for at, counts in months][::-1],
    )


def _greatest(key: str) -> list[Feat]:
    title = titles.find(key)
    chosen = (title.highlight if title else "", "margin", "comeback")
    return [feat for feat in feats_of(None, key) if feat.name in chosen]


def _months() -> list[tuple[datetime, tuple[int, int]]]:
    """The last months in which games ended: games and moves."""
    found: dict[tuple[int, int], list[int]] = {}
    for year, counts in sheets(None, "year").values_list("year", "counts"):
        for name, count in counts.items():
            what, _colon, month = name.partition(":")
            both = found.setdefault((year, int(month)), [0, 0])
            both[what == "moves"] += count
    return [
        (datetime(year, month, 15, tzinfo=UTC), (games, moves))
        for (year, month), (games, moves) in sorted(found.items())[-MONTHS:]
    ]


def _months_chart(months: Sequence[tuple[datetime, tuple[int, int]]]) -> BarChart:
    return bar_chart(
        [
            (month_in_short(at.month), games, "" if len(months) > 12 else grouped(games))
            for at, (games, _) in months
        ]
    )


def _dice(key: str, shelves: Sequence[Shelf]) -> Dice | None:
    die = ruleset(key).die
    faces = sorted(set(die))
    shares = [die.count(face) / len(die) for face in faces]

    def rolled(some: Sequence[Shelf]) -> list[int]:
        sums = added(shelf.sums for shelf in some)
        return [sums.get(f"die:{face}", 0) for face in faces]

    counts = rolled(shelves)
    rolls = sum(counts)
    if not rolls:
        return None
    kinds = [(_("All rolls"), shelves)] + [
        (
            ngettext("At tables of %(n)d player", "At tables of %(n)d players", size) % {"n": size},
            [shelf for shelf in shelves if shelf.size == size],
        )
        for size in sorted({shelf.size for shelf in shelves})
    ]
    return Dice(
        ruleset=key,
        rolls=rolls,
        counts=dict(zip(faces, counts, strict=True)),
        chart=bar_chart(
            [
                (str(face), count, f"{number_format(100 * count / rolls, 1)} %")
                for face, count in zip(faces, counts, strict=True)
            ],
            expected=[rolls * share for share in shares],
        ),
        tests=[
            Tested(label, sum(own), bet_against(own, shares, at_once=len(kinds)))
            for label, some in kinds
            if sum(own := rolled(some))
        ],
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """Games by how much of something they had."""

    label: str
    chart: BarChart
    rows: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class GameNumbers:
    """One game of the house, for some numbers of players and some rules."""

    games: int
    editions: Sequence[str]
    playing: Playing | None
    seats: Sequence[Shares]
    spreads: Sequence[Spread]
    feats: Sequence[Feat]


def game_numbers(key: str, *, size: int, edition: str) -> GameNumbers:
    rows = list(sheets(None, "play").filter(ruleset=key).values_list("size", "edition", "counts"))
    chosen = [row for row in rows if size in (0, row[0]) and edition in ("", row[1])]
    counts = added(row[2] for row in chosen)
    by_size: dict[int, Counts] = {
        each: added(row[2] for row in chosen if row[0] == each)
        for each in sorted({row[0] for row in chosen})
    }
    return GameNumbers(
        # Each game is counted once for each who sat there.
        games=sum(own.get("games", 0) // each for each, own in by_size.items()),
        editions=sorted({row[1] for row in rows}),
        playing=playing(key, counts),
        seats=[
            Shares(ngettext("%(n)d player", "%(n)d players", each) % {"n": each}, _seats(own, each))
            for each, own in by_size.items()
        ],
        spreads=_spreads(key, counts),
        feats=feats_of(None, key),
    )


def _seats(counts: Counts, size: int) -> list[Share]:
    return [
        Share(
            _("Seat %(n)d") % {"n": seat + 1},
            counts.get(f"seat:{seat}", 0),
            counts.get(f"won:{seat}", 0),
            1 / size,
        )
        for seat in range(size)
    ]


def _spreads(key: str, counts: Counts) -> list[Spread]:
    title = titles.find(key)
    highest = titles.words(key).peak(title.highlight) if title and title.highlight else ""
    labels = {
        "length": _("Moves of a game"),
        "margin": _("Won by"),
        "comeback": _("Made up for"),
        "changes": _("Changes of the lead"),
        "highest": highest,
    }
    found = []
    for name, label in labels.items():
        start, step = f"{name}:", SPREADS[name]
        games = {
            int(each.removeprefix(start)): count
            for each, count in counts.items()
            if each.startswith(start)
        }
        if games and label:
            # With those between that no game had: a gap is seen as one.
            values = [(n, games.get(n, 0)) for n in range(min(games), max(games) + 1, step)]
            bars = [(grouped(value), float(count), "") for value, count in values]
            table = [(_from_to(value, step), count) for value, count in values if count]
            found.append(Spread(label, bar_chart(bars), table))
    return found


def _from_to(value: int, step: int) -> str:
    return grouped(value) if step == 1 else f"{grouped(value)}–{grouped(value + step - 1)}"
