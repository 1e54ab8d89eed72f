"""Games of some kind and those that were won, with how sure that share is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.reckon.intervals import wilson


@dataclass(frozen=True, slots=True)
class Share:
    label: str
    games: int
    won: int
    fair: float | None = None
    """What chance alone would bring, as a share."""

    @property
    def percent(self) -> int:
        return round(100 * self.won / self.games) if self.games else 0

    @property
    def low(self) -> int:
        return round(100 * wilson(self.won, self.games).low)

    @property
    def high(self) -> int:
        return round(100 * wilson(self.won, self.games).high)

    @property
    def expected(self) -> int | None:
        return None if self.fair is None else round(100 * self.fair)


@dataclass(frozen=True, slots=True)
class Shares:
    """One way to part the same games."""

    title: str
    rows: Sequence[Share]


def added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            total[name] = total.get(name, 0) + count
    return total
