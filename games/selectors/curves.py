"""How a game went: the counts of all players, move by move, as charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games import titles
from games.charts.plots import LineChart, Series, line_chart
from games.engine.games import ruleset
from games.selectors.table import Table


@dataclass(frozen=True)
class Curve:
    """One count of the game, such as points, over all moves."""

    name: str
    chart: LineChart


def curves(table: Table) -> tuple[Curve, ...]:
    """With a mark at the position that is shown."""
    if not table.moves:
        return ()
    return draw_curves(table.game.ruleset, table.names, table.states, table.shown)


def draw_curves(
    key: str, names: Sequence[str], states: Sequence[object], shown: int
) -> tuple[Curve, ...]:
    """The states are those before and after each move."""
    if not states:
        return ()
    rules = ruleset(key)
    counted = [_counts(key, state) for state in states]
    tones = [own[0] for own in rules.colours(len(names))]
    return tuple(
        Curve(
            name=titles.words(key).count(count),
            chart=_chart(
                tuple(
                    Series(name, tones[seat], tuple(counts[count][seat] for counts in counted))
                    for seat, name in enumerate(names)
                ),
                shown,
            ),
        )
        for count in counted[0]
    )


@lru_cache(maxsize=500)
def _chart(series: tuple[Series, ...], shown: int) -> LineChart:
    return line_chart(series, marked=shown)


@lru_cache(maxsize=20_000)
def _counts(key: str, state: Any) -> Mapping[str, tuple[int, ...]]:
    """Remembered, because a page shows all positions of its game again after each move."""
    return ruleset(key).counts(state)
