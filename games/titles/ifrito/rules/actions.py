"""What can be done in Ifrito, as values; their notation is what records keep."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from games.engine.errors import BadNotation


@dataclass(frozen=True, slots=True)
class Enter:
    """A carpet from the hand; a genie that waits on the cell sits down on the cushion."""

    cell: str
    boards: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """Cushions: where the genie of the end sits down, or whose genie stays on the start."""

    start: str
    end: str
    boards: str | None
    leaves: str | None


@dataclass(frozen=True, slots=True)
class Capture:
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Pick:
    """Take the genie of this cushion off the carpet that captured."""

    cushion: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Only for those who can do nothing else."""


Action = Enter | Move | Capture | Pick | Pass

_CELL = "[LU][a-e][1-5]"
_CUSHION = "[NS][EW]?|[CEW]"
_GRAMMAR = re.compile(
    f"enter:(?P<cell>{_CELL})(?:@(?P<seated>{_CUSHION}))?"
    f"|move:(?P<start>{_CELL})-(?P<end>{_CELL})"
    f"(?:@(?P<boards>{_CUSHION})|!(?P<leaves>{_CUSHION}))?"
    f"|capture:(?P<attacker>{_CELL})-(?P<attacked>{_CELL})"
    f"|pick:(?P<picked>{_CUSHION})"
    "|pass"
)


@lru_cache(maxsize=8192)
def read(action: str) -> Action:
    """Remembered, because the same few thousand actions come again and again."""
    found = _GRAMMAR.fullmatch(action)
    if found is None:
        raise BadNotation(
            f"{action[:40]!r} is not an action of Ifrito, expected one such as enter:Ua1@N, "
            "move:Ua1-Ub2, move:Ua1-Ub2@SE, move:Ua1-Ub2!N, capture:Ua1-Ub2, pick:N or pass"
        )
    if found["cell"]:
        return Enter(found["cell"], found["seated"])
    if found["start"]:
        return Move(found["start"], found["end"], found["boards"], found["leaves"])
    if found["attacker"]:
        return Capture(found["attacker"], found["attacked"])
    return Pick(found["picked"]) if found["picked"] else Pass()
