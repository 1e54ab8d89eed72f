"""From what a seat may see of Marrakech to a position of the kernel.

The order of the piles is not seen, so it is not read either: the position has the right rugs in
them, the known one on top, and a search that cares shuffles the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from games.titles.marrakech.rules.geometry import HEADINGS, NUMBERS, QUARTERS, pose

from . import kernel as k

PHASES = {"turn": k.TURN, "roll": k.ROLL, "lay": k.LAY, "face": k.FACE}


def position(seen: Mapping[str, Any]) -> np.ndarray:
    """The position of an observation in which somebody is to decide."""
    players, options, assam = seen["players"], seen["options"], seen["assam"]
    s = np.zeros(k.LENGTH, np.int64)
    s[k.PHASE] = PHASES[seen["pending"]["kind"]]
    s[k.MOVER] = seen["pending"]["seat"]
    s[k.ASSAM] = pose(NUMBERS[assam["square"]], HEADINGS.index(assam["facing"]))
    s[k.SEATS] = len(players)
    s[k.COLOURS_EACH] = len(players[0]["colours"])
    s[k.INSOLVENT_OUT] = options["insolvency"] == "out"
    s[k.TURN_AFTER] = options["turning"] == "after"
    s[k.COVER_OWN] = options["cover_own"]
    palette = [colour for player in players for colour in player["colours"]]
    for rug in seen["rugs"]:
        field = palette.index(rug["colour"])
        for name in rug["visible"]:
            s[k.FIELD + field] |= 1 << NUMBERS[name]
        if len(rug["visible"]) == 2:
            spot = spot_of(*rug["squares"])
            s[k.WHOLE + (spot & 1)] |= 1 << (spot >> 1)
    for seat, player in enumerate(players):
        s[k.PURSE + seat] = player["dirhams"]
        s[k.RUGS + seat] = sum(player["rugs"].values())
        s[k.PILE + seat] = _pile(player)
        if not player["in"]:
            s[k.GONE_COUNT] += 1
            s[k.GONE + seat] = s[k.GONE_COUNT]
    return s


def _pile(player: Mapping[str, Any]) -> int:
    """Any order that has the next rug on top; nothing where there is only one colour."""
    if len(player["colours"]) == 1 or player["next"] is None:
        return 0
    second = player["colours"][1]
    on_top = player["next"] == second
    ones = player["rugs"][second] - on_top
    return ((1 << ones) - 1) << 1 | on_top


def spot_of(one: str, other: str) -> int:
    a, b = sorted((NUMBERS[one], NUMBERS[other]))
    return 2 * a + (b - a > 1)


def number(action: str) -> int:
    """An action as the kernel counts them: quarter turns to the right, or a spot."""
    if action in QUARTERS:
        return QUARTERS[action]
    return spot_of(action[4:6], action[6:8])
