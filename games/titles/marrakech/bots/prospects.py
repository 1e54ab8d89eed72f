"""What the judge says of an observation, in notation: for bots, reckonings and hints.

Nothing here draws a number: the same observation has the same prospect for ever, with the same
weights.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from games.titles.judging import Face, Prospect, Shares
from games.titles.marrakech.rules.geometry import DIE
from games.titles.network import Network, load

from . import grand_vizier, judge
from . import kernel as k
from .features import DISTINCT, FACES
from .practice import WEIGHTS
from .reading import number, position
from .tables import MOST_SPOTS

# How many turns ahead, and for how many of the best rugs, a turn and a rug are weighed.
QUICK = grand_vizier.Effort(0, 1, 0, 1)
THOROUGH = {
    2: grand_vizier.Effort(1, 4, 2, 8),
    3: grand_vizier.Effort(1, 4, 2, 8),
    4: grand_vizier.Effort(1, 4, 2, 8),
}


# Counts the ways to judge there have been: one more whenever the same weights say other things.
REVISION = 1


def version(seats: int) -> str:
    """Stands for the weights and for how they are used."""
    return f"{REVISION}-{hashlib.sha256(_stored(seats).read_bytes()).hexdigest()[:16]}"


@cache
def network(seats: int) -> Network:
    return load(_stored(seats))


def shares(seen: Mapping[str, Any]) -> Shares:
    """The win share of every seat where somebody is to decide and plays well from here on."""
    s = position(seen)
    if s[k.PHASE] in (k.TURN, k.ROLL):
        found = np.zeros(s[k.SEATS])
        judge.judged(tuple(network(len(found))), s, judge.desk(len(found)), found)
        return tuple(found.tolist())
    return actions(seen)[0].shares


def actions(seen: Mapping[str, Any], *, thorough: bool = False) -> list[Prospect]:
    """All actions, the best for who decides first, with everybody's shares after each."""
    s = position(seen)
    seats = int(s[k.SEATS])
    effort = THOROUGH[seats] if thorough else QUICK
    numbers, found = np.zeros(MOST_SPOTS, np.int64), np.zeros((MOST_SPOTS, seats))
    count = grand_vizier.weigh(
        tuple(network(seats)),
        s,
        effort,
        judge.desk(seats),
        grand_vizier.study(seats),
        numbers,
        found,
    )
    named = {number(action): action for action in seen["legal"]}
    return [
        Prospect(named[int(numbers[index])], tuple(found[index].tolist())) for index in range(count)
    ]


def faces(seen: Mapping[str, Any], action: str) -> list[Face]:
    """What each value of the die brings everybody after this turn of Assam."""
    s = position(seen)
    seats = int(s[k.SEATS])
    found, mean = np.zeros((DISTINCT, seats)), np.zeros(seats)
    judge.rolled(tuple(network(seats)), s, number(action), judge.desk(seats), found, mean)
    values = [DIE[side] for side in FACES.tolist()]
    return [
        Face(value, DIE.count(value), tuple(row.tolist()))
        for value, row in zip(values, found, strict=True)
    ]


def _stored(seats: int) -> Path:
    return WEIGHTS / f"{seats}.npz"
