"""Numbers about a game of Ifrito: its curves, and what each seat did in all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from games.engine.interface import Figures, Played

from .state import State


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    return {
        "prison": state.prison,
        "captured": state.captured,
        "aboard": tuple(state.aboard(seat) for seat in range(state.seats)),
    }


def figures(seats: int, played: Iterable[Played]) -> tuple[Figures, ...]:
    """Sums: carpets and genies, `…_taken` from others and `…_lost` to them. Peaks: `haul`, the
    most genies in one capture."""
    sums: list[Counter[str]] = [Counter() for _ in range(seats)]
    hauls = [0] * seats
    for each in played:
        if capture := each.facts.get("captured"):
            taker, loser, genies = sums[each.seat], sums[capture["seat"]], capture["genies"]
            taker["carpets_taken"] += 1
            loser["carpets_lost"] += 1
            taker["genies_taken"] += genies
            loser["genies_lost"] += genies
            hauls[each.seat] = max(hauls[each.seat], genies)
    return tuple(Figures(dict(own), {"haul": haul}) for own, haul in zip(sums, hauls, strict=True))
