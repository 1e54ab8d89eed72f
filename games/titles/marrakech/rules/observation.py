"""The observation: all that may be known of a state, ready for JSON.

Marrakech has one secret, the order of the piles below the top rug, and it is one
for everybody: the view is the same for each viewer.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.engine.interface import Pending

from .geometry import DIE, HEADINGS, NAMES, QUARTERS, SPOT_BY_BIT, WALKS, turned
from .position import due, next_rug, points, squares
from .state import ROLL, RUGS, TURN, State

# How many faces of the die show each number.
WEIGHTS = Counter(DIE)


def observe(
    state: State, viewer: int | None, pending: Pending, legal: tuple[str, ...]
) -> dict[str, Any]:
    setup = state.setup
    seen: dict[str, Any] = {
        "game": "marrakech",
        "seats": setup.seats,
        "viewer": viewer,
        "options": {
            "insolvency": "out" if setup.insolvent_out else "play_on",
            "turning": "after" if setup.turn_after else "before",
            "cover_own": setup.cover_own,
        },
        "pending": pending.seen(),
        "assam": _assam(state.assam),
        "rugs": _rugs(state),
        "players": [_player(state, seat) for seat in range(setup.seats)],
        "legal": list(legal),
    }
    if state.phase in (TURN, ROLL):
        seen["forecast"] = {action: _forecast(state, QUARTERS[action]) for action in legal}
    return seen


def _assam(at: int) -> dict[str, str]:
    return {"square": NAMES[at // 4], "facing": HEADINGS[at % 4]}


def _rugs(state: State) -> list[dict[str, Any]]:
    """In laying order, the rugs of which anything shows."""
    setup = state.setup
    top: dict[int, int] = {}
    for number, (spot, _) in enumerate(state.laid, start=1):
        for square in SPOT_BY_BIT[spot].squares:
            top[square] = number
    rugs = []
    for number, (spot, field) in enumerate(state.laid, start=1):
        cover = SPOT_BY_BIT[spot].squares
        visible = [NAMES[square] for square in cover if top[square] == number]
        if visible:
            seat = setup.owners[field]
            rugs.append(
                {
                    "id": number,
                    "seat": seat,
                    "colour": setup.palette[field],
                    "squares": [NAMES[square] for square in cover],
                    "visible": visible,
                    "neutral": seat in state.gone,
                }
            )
    return rugs


def _player(state: State, seat: int) -> dict[str, Any]:
    setup = state.setup
    inside = seat not in state.gone
    laid = Counter(field for _, field in state.laid)
    return {
        "seat": seat,
        "colours": list(setup.colours[seat]),
        "dirhams": state.dirhams[seat],
        "rugs": {
            setup.palette[field]: RUGS[setup.seats] - laid[field] if inside else 0
            for field in setup.owned(seat)
        },
        "next": setup.palette[next_rug(state, seat)] if state.rugs[seat] else None,
        "squares": squares(state, seat),
        "points": points(state, seat),
        "in": inside,
    }


def _forecast(state: State, quarters: int) -> dict[str, Any]:
    """What each fall of the die would bring if the mover turned Assam this way."""
    faces: list[dict[str, Any]] = []
    for face, weight in WEIGHTS.items():
        end, path = WALKS[turned(state.assam, quarters)][face]
        to, price = due(state, end // 4) or (None, 0)
        faces.append(
            {"face": face, "weight": weight, "path": list(path)}
            | _assam(end)
            | {"to": to, "due": price}
        )
    mean = sum(each["weight"] * each["due"] for each in faces) / len(DIE)
    return {"mean": mean, "faces": faces}
