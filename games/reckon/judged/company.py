"""Who is kinder to somebody than chance would be: whom mistakes please.

Whoever does not play the best gives to others, meant or not. Of a mistake it is asked for each of
the others whether nothing on the board could have pleased them more; that counts the more, the
more choices would have pleased them less. An honest mistake pleases somebody by accident: seats
are drawn by lot, so it could as well have been any other at the table. Beside that stands how much
the mistakes of everybody please somebody, because it may be usual to spare those who are behind.
What remains is compared with all arrangements that the lot could have brought. Tables of two are
not looked at: there is nobody to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import erfc, sqrt
from statistics import fmean

from .moments import Moment
from .shares import POINT, WHOLE

FALSE_DISCOVERIES = 0.01
"""Of the pairs that are named, at most this share is innocent, on average."""
FEWEST_GAMES = 5
FEWEST_SEATS = 3
MOST_GAMES = 100
"""So many of the latest games of two are looked at."""
UNIT = WHOLE // 20
"""In which the test counts favours."""
ROUGHLY = 2.0
"""Who is nearer to the mean than so many deviations needs no exact count."""
HABIT = 10
"""So many games without any favour are added when it is asked what is usual for somebody."""

Given = Sequence[Sequence[int]]
"""By giver and receiver at a table, in millionths."""


def favours(moments: Iterable[Moment], seats: int) -> list[list[int]]:
    """Of a whole game: how many mistakes of one were another's favourite choice."""
    total = [[0] * seats for _ in range(seats)]
    for moment in moments:
        if moment.is_free and moment.pleased:
            row = total[moment.seat]
            for seat, worse in enumerate(moment.pleased):
                if seat != moment.seat:
                    row[seat] += WHOLE * worse // moment.choices
    return total


@dataclass(frozen=True, slots=True)
class Sitting:
    """A judged game: who sat there, whom mistakes pleased, and what was given, in millionths."""

    players: Sequence[int]
    favours: Given
    gifts: Given


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who sat at the same tables; the one with the lower number first."""

    players: tuple[int, int]
    games: int
    chance: float
    """How likely so many favours are by lot."""
    favours: float
    """A game, both ways, beyond what is usual."""
    gifts: float
    """A game, both ways, in points of win share."""
    usual: float
    """What both gave each of the others at these tables, in the same way."""


def pairs(sittings: Iterable[Sitting]) -> list[Pair]:
    """All who met often enough; sittings come with the latest first."""
    met: dict[tuple[int, int], list[Sitting]] = {}
    habits = Habits()
    for sitting in sittings:
        if len(sitting.players) < FEWEST_SEATS:
            continue
        habits.add(sitting)
        for one, other in combinations(sitting.players, 2):
            met.setdefault((min(one, other), max(one, other)), []).append(sitting)
    return [
        _pair(players, together[:MOST_GAMES], habits)
        for players, together in met.items()
        if len(together) >= FEWEST_GAMES
    ]


def discovered(found: Sequence[Pair], rate: float = FALSE_DISCOVERIES) -> list[Pair]:
    """Those that stand out among all, by Benjamini and Hochberg; the clearest first."""
    order = sorted(found, key=lambda pair: pair.chance)
    ranks = enumerate(order, start=1)
    last = max((rank for rank, pair in ranks if pair.chance <= rate * rank / len(order)), default=0)
    return order[:last]


@dataclass(slots=True)
class Habits:
    """How much mistakes please somebody, whoever makes them."""

    got: dict[int, int] = field(default_factory=dict)
    times: dict[int, int] = field(default_factory=dict)
    between: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def add(self, sitting: Sitting) -> None:
        for (one, giver), (other, receiver) in permutations(enumerate(sitting.players), 2):
            favour = sitting.favours[one][other]
            self.got[receiver] = self.got.get(receiver, 0) + favour
            self.times[receiver] = self.times.get(receiver, 0) + 1
            got, times = self.between.get((giver, receiver), (0, 0))
            self.between[giver, receiver] = got + favour, times + 1

    def of(self, receiver: int, besides: int) -> float:
        """In a game, of anybody but this one."""
        got, times = self.between[besides, receiver]
        return (self.got[receiver] - got) / (self.times[receiver] - times + HABIT)


def _pair(players: tuple[int, int], together: Sequence[Sitting], habits: Habits) -> Pair:
    lots: list[tuple[float, list[float]]] = []
    gifts: list[int] = []
    usual: list[float] = []
    for sitting in together:
        for giver, receiver in permutations(players):
            seat = sitting.players.index(giver)
            beyond = {
                other: sitting.favours[seat][place] - habits.of(other, besides=giver)
                for place, other in enumerate(sitting.players)
                if place != seat
            }
            lots.append((beyond[receiver], list(beyond.values())))
            got = dict(zip(sitting.players, sitting.gifts[seat], strict=True))
            gifts.append(got[receiver])
            usual.append(fmean(got[other] for other in beyond if other != receiver))
    return Pair(
        players=players,
        games=len(together),
        chance=chance_of(lots),
        favours=sum(got - fmean(might) for got, might in lots) / WHOLE / len(together),
        gifts=sum(gifts) / POINT / len(together),
        usual=sum(usual) / POINT / len(together),
    )


def chance_of(lots: Sequence[tuple[float, Sequence[float]]]) -> float:
    """How likely at least so much is, where each number could as well have been any of those with
    it. All arrangements are counted, unless a glance shows that nothing stands out."""
    beyond = sum(got - fmean(might) for got, might in lots)
    spread = sqrt(sum(fmean((each - fmean(might)) ** 2 for each in might) for _, might in lots))
    if beyond <= ROUGHLY * spread:
        return erfc(beyond / spread / sqrt(2)) / 2 if spread else 1.0
    reached, lowest, odds = 0, 0, [1.0]
    for got, might in lots:
        steps = [round(each / UNIT) for each in might]
        reached += round(got / UNIT)
        low = min(steps)
        grown = [0.0] * (len(odds) + max(steps) - low)
        for step in steps:
            for place, chance in enumerate(odds, start=step - low):
                grown[place] += chance
        odds = [chance / len(steps) for chance in grown]
        lowest += low
    return min(1.0, sum(odds[max(reached - lowest, 0) :]))
