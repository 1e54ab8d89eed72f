"""Numbers about a game of Marrakech: its curves, and what each seat did in all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from games.engine.interface import Figures, Played

from .geometry import DIE, QUARTERS, SPOT_BY_ACTION, WALKS, region, turned
from .position import due, field, next_rug, points, squares
from .state import State


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    seats = range(state.setup.seats)
    return {
        "points": tuple(points(state, seat) for seat in seats),
        "dirhams": state.dirhams,
        "squares": tuple(squares(state, seat) for seat in seats),
    }


def figures(seats: int, played: Iterable[Played]) -> tuple[Figures, ...]:
    """Sums: `earned`, `paid`, `rolls`, and `sixths`, what each roll could be expected to cost
    in sixths of a dirham. Peaks: `payment`, the highest single one, and `region`."""
    sums: list[Counter[str]] = [Counter() for _ in range(seats)]
    peaks: list[dict[str, int]] = [{"payment": 0, "region": 0} for _ in range(seats)]
    for each in played:
        own, best = sums[each.seat], peaks[each.seat]
        if "die" in each.facts:
            own["rolls"] += 1
            own[f"die:{each.facts['die']}"] += 1
            own["sixths"] += expected_sixths(each.before, each.action)
        if paid := each.facts.get("paid"):
            own["paid"] += paid["amount"]
            sums[paid["to"]]["earned"] += paid["amount"]
            best["payment"] = max(best["payment"], paid["amount"])
        if each.action in SPOT_BY_ACTION:
            best["region"] = max(best["region"], region_after(each))
    return tuple(Figures(dict(own), best) for own, best in zip(sums, peaks, strict=True))


def expected_sixths(state: State, action: str) -> int:
    """What the mover would pay for each of the six faces, added up."""
    pose = turned(state.assam, QUARTERS[action])
    total = 0
    for face in DIE:
        owed = due(state, WALKS[pose][face][0] // 4)
        if owed:
            total += min(owed[1], state.dirhams[state.mover])
    return total


def region_after(lay: Played) -> int:
    """The size of the largest region that the rug just laid is part of."""
    colour = field(lay.after, next_rug(lay.before, lay.seat))
    return max(region(square, colour).bit_count() for square in SPOT_BY_ACTION[lay.action].squares)
