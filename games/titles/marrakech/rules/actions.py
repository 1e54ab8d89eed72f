"""What can be done in Marrakech, as values; their notation is what records keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.engine.errors import BadNotation

from .geometry import NAMES, SPOTS


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn Assam: before a roll, or for the next player at the end of a turn."""

    side: Literal["L", "S", "R"]


@dataclass(frozen=True, slots=True)
class Roll:
    """Where turning comes at the end of a turn, it starts without a choice."""


@dataclass(frozen=True, slots=True)
class Lay:
    one: str
    other: str


Action = Turn | Roll | Lay

ACTIONS: Mapping[str, Action] = {
    "turn:L": Turn("L"),
    "turn:R": Turn("R"),
    "turn:S": Turn("S"),
    "roll": Roll(),
    **{spot.action: Lay(*(NAMES[square] for square in spot.squares)) for spot in SPOTS},
}


def read(action: str) -> Action:
    if action not in ACTIONS:
        raise BadNotation(
            f"{action[:40]!r} is not an action of Marrakech, "
            "expected turn:L, turn:S, turn:R, roll or a rug such as lay:d4e4"
        )
    return ACTIONS[action]
