"""How somebody plays: where on the board, and what flows in which part of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games import titles
from games.charts.shades import HeatMap, heat_map
from games.selectors.sheets import Counts
from games.titles.figuring import PHASES, Figuring


@dataclass(frozen=True, slots=True)
class BoardMap:
    key: str
    label: str
    map: HeatMap


@dataclass(frozen=True, slots=True)
class Flow:
    """What flowed in each phase, a game on average."""

    label: str
    phases: Sequence[float]

    @property
    def total(self) -> float:
        return sum(self.phases)


@dataclass(frozen=True, slots=True)
class Playing:
    games: int
    maps: Sequence[BoardMap]
    flows: Sequence[Flow]


def figuring_of(ruleset: str) -> Figuring | None:
    found: Figuring | None = titles.brings(ruleset, "figures", "FIGURING")
    return found


def playing(ruleset: str, counts: Counts) -> Playing | None:
    """None where the room counts nothing of the kind."""
    figuring = figuring_of(ruleset)
    games = counts.get("games", 0)
    if figuring is None or not games:
        return None
    return Playing(
        games=games,
        maps=[
            BoardMap(kind.key, str(kind.label), heat_map(figuring.planes, _under(counts, kind.key)))
            for kind in figuring.maps
        ],
        flows=[
            Flow(
                str(kind.label),
                [counts.get(f"{kind.key}:{n}", 0) / games for n in range(PHASES)],
            )
            for kind in figuring.flows
        ],
    )


def _under(counts: Mapping[str, int], key: str) -> dict[str, int]:
    start = f"{key}:"
    return {name.removeprefix(start): n for name, n in counts.items() if name.startswith(start)}
