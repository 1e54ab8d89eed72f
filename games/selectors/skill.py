"""How well a player decides and how lucky they were, by judged games; both with their doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

from games import titles
from games.charts.plots import BandChart, band_chart
from games.models import Performance, Player, Rating
from games.reckon.judged.shares import POINT
from games.reckon.judged.trends import SURE, Mean, mean_of, moving
from games.selectors.sheets import Counts, sheets
from games.titles.figuring import PHASES

MOST_GAMES = 200
"""So many of the last games are drawn."""
MIDDLE, UNIT = 1500, 400
"""What a newcomer's strength is shown as, and one unit of it: as far as a rating goes for the same
odds at a table of two."""
FEWEST_DECISIONS = 30
"""Before so many nobody is strong or weak in anything."""


@dataclass(frozen=True)
class Trend:
    """A mean over time; the chart has a band of doubt around it."""

    chart: BandChart
    means: Sequence[Mean]


@dataclass(frozen=True)
class Cell:
    """Decisions of one kind in one part of the game; losses are in points."""

    kind: str
    phase: int | None
    """None for the whole game."""
    decisions: int
    rate: float
    error: float
    others: float | None
    """What others lose by such decisions, at tables of the same sizes."""

    @property
    def lead(self) -> float:
        """By how many standard errors this is better than others; 0 where that cannot be said."""
        if self.others is None or self.decisions < FEWEST_DECISIONS or not self.error:
            return 0.0
        return (self.others - self.rate) / self.error


@dataclass(frozen=True)
class Kind:
    name: str
    phases: Sequence[Cell | None]
    whole: Cell


@dataclass(frozen=True)
class Skill:
    """A player in one game of the house; all in points of win share a game, or a decision."""

    games: int
    result: Mean | None
    luck: Mean | None
    without_luck: Mean | None
    error_rate: Mean | None
    error_rates: Trend | None
    lucks: Trend | None
    kinds: Sequence[Kind]

    @property
    def strongest(self) -> Cell | None:
        found = max(self._cells, key=lambda cell: cell.lead, default=None)
        return found if found and found.lead > SURE else None

    @property
    def weakest(self) -> Cell | None:
        found = min(self._cells, key=lambda cell: cell.lead, default=None)
        return found if found and found.lead < -SURE else None

    @property
    def _cells(self) -> list[Cell]:
        return [cell for kind in self.kinds for cell in kind.phases if cell]


@dataclass(frozen=True)
class Estimate:
    """The luck-free rating, as it is shown."""

    rating: int
    reach: int
    """So far to both sides the truth lies, nineteen times out of twenty."""
    games: int


def skill_of(player: Player, ruleset: str, *, private_too: bool) -> Skill:
    """What the reckonings of a player's games say; private games are their own business."""
    rows = Performance.objects.filter(player=player, ruleset=ruleset)
    if not private_too:
        rows = rows.filter(public=True)
    last = rows.order_by("-ended_at", "-pk").values_list(
        "start", "result", "luck", "decisions", "lost"
    )[:MOST_GAMES]
    games = [[value / POINT for value in row] for row in reversed(last)]
    gains = [result - start for start, result, *_ in games]
    lucks = [row[2] for row in games]
    rest = [gain - luck for gain, luck in zip(gains, lucks, strict=True)]
    decisions = [row[3] * POINT for row in games]
    lost = [row[4] for row in games]
    return Skill(
        games=len(games),
        result=mean_of(gains),
        luck=mean_of(lucks),
        without_luck=mean_of(rest),
        error_rate=mean_of(lost, decisions),
        error_rates=_trend(moving(lost, decisions), least=0.0),
        lucks=_trend(moving(lucks)),
        kinds=_kinds(player, ruleset, private_too=private_too),
    )


def luck_free(player: Player, ruleset: str) -> Estimate | None:
    """By public rated games alone, so everybody may know it."""
    rating = Rating.objects.filter(player=player, ruleset=ruleset, judged__gt=0).first()
    if rating is None:
        return None
    return Estimate(
        round(MIDDLE + UNIT * rating.strength), round(SURE * UNIT * rating.doubt), rating.judged
    )


def _trend(means: Sequence[Mean], least: float = -inf) -> Trend | None:
    """`least` is what the truth cannot be below."""
    if len(means) < 2:
        return None
    points = [(max(each.low, least), max(each.mean, least), each.high) for each in means]
    return Trend(band_chart(points), means)


def _kinds(player: Player, ruleset: str, *, private_too: bool) -> list[Kind]:
    own = _by_size(player, ruleset, private_too=private_too)
    others = _by_size(None, ruleset)
    names = dict.fromkeys(name.split(":")[0] for counts in own.values() for name in counts)
    kinds = []
    for name in titles.words(ruleset).in_order(sorted(names)):
        phases = [_cell(name, [phase], own, others) for phase in range(PHASES)]
        if whole := _cell(name, range(PHASES), own, others):
            kinds.append(Kind(titles.words(ruleset).task(name), phases, whole))
    return kinds


def _by_size(
    player: Player | None, ruleset: str, *, private_too: bool = False
) -> dict[int, Counts]:
    found: dict[int, Counts] = {}
    rows = sheets(player, "judged", private_too=private_too).filter(ruleset=ruleset)
    for size, counts in rows.values_list("size", "counts"):
        known = found.setdefault(size, {})
        for name, count in counts.items():
            known[name] = known.get(name, 0) + count
    return found


def _cell(
    kind: str, phases: Sequence[int], own: Mapping[int, Counts], others: Mapping[int, Counts]
) -> Cell | None:
    number, lost, squares, usual = 0, 0, 0, 0.0
    comparable = True
    for size, counts in own.items():
        for phase in phases:
            n, cost, squared = _three(counts, kind, phase)
            all_n, all_cost, _ = _three(others.get(size, {}), kind, phase)
            number, lost, squares = number + n, lost + cost, squares + squared
            if n:
                comparable = comparable and all_n > n
                usual += n * all_cost / all_n if all_n else 0.0
    if not number:
        return None
    mean = lost / number
    error = sqrt(max(squares / number - mean * mean, 0.0) / number)
    return Cell(
        kind=kind,
        phase=phases[0] if len(phases) == 1 else None,
        decisions=number,
        rate=mean / POINT,
        error=error / POINT,
        others=usual / number / POINT if comparable else None,
    )


def _three(counts: Mapping[str, int], kind: str, phase: int) -> tuple[int, int, int]:
    n, lost, squares = (
        counts.get(f"{kind}:{phase}:{what}", 0) for what in ("n", "lost", "squares")
    )
    return n, lost, squares
