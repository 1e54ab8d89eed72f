"""From what is seen of Ifrito to a row of numbers for search, and from its actions to notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from games.titles.ifrito.rules.geometry import CELL, CELLS, CUSHION, CUSHIONS

from . import kernel as r


def position(seen: Mapping[str, Any]) -> np.ndarray:
    """The position of an observation in which somebody is to decide."""
    seats = seen["seats"]
    s = np.zeros(r.LENGTH, np.int64)
    s[r.TURN] = seen["turn"]
    s[r.SEATS] = seats
    s[r.EACH] = 3 if seats == 2 else 2
    s[r.GENIES] = sum(1 << CELL[name] for name, cell in seen["cells"].items() if cell["genie"])
    s[r.QUIET] = seen["quiet"]
    s[r.PICKER] = -1
    if seen["pick"] is not None:
        s[r.PICKER] = seen["pending"]["seat"]
        s[r.PICKED] = seen["pick"]
    s[r.PLACE : r.PLACE + 8] = r.GONE
    for carpet in seen["carpets"]:
        cell = carpet["cell"]
        s[r.PLACE + carpet["id"]] = r.HAND if cell is None else CELL[cell]
        s[r.SEATED + carpet["id"]] = sum(CUSHION[name] for name in carpet["cushions"])
    for seat, player in enumerate(seen["players"]):
        s[r.PRISON + seat] = player["prison"]
        s[r.CAPTURED + seat] = player["captured"]
        s[r.LEFT + seat] = not player["in"]
    return s


def notation(s: np.ndarray, action: int) -> str:
    kind, carpet = action >> 13, action >> 10 & 7
    cell, cushion = CELLS[action >> 4 & 63], action & 15
    seat = "" if cushion == r.NOBODY else CUSHIONS[cushion]
    if kind == r.PICK:
        return f"pick:{seat}"
    if kind == r.PASS:
        return "pass"
    if kind == r.ENTER:
        return f"enter:{cell}@{seat}" if seat else f"enter:{cell}"
    flight = f"{CELLS[s[r.PLACE + carpet]]}-{cell}"
    if kind == r.CAPTURE:
        return f"capture:{flight}"
    sign = "@" if s[r.GENIES] >> CELL[cell] & 1 else "!"
    return f"move:{flight}{sign}{seat}" if seat else f"move:{flight}"


def numbered(s: np.ndarray) -> dict[str, int]:
    """All that the seat to act may do, with its number."""
    into = np.zeros(r.MOST_ACTIONS, np.int64)
    return {notation(s, action): action for action in into[: r.actions(s, into)].tolist()}
