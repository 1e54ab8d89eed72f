"""What the judge says of an observation, in notation: for reckonings and hints.

Nothing here draws a number of its own: the same observation has the same prospect for ever, with
the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from games.titles.judging import Face, Prospect, Shares, stored, version_of, weights_folder
from games.titles.network import Network, load

from . import continuing, deepening, judge
from . import kernel as k
from .reading import notation, numbered, position

WEIGHTS = weights_folder("ifrito")
# So many of the best actions are looked at one reply further.
FURTHER = 3
# By the number of players: so many actions a continuation goes on before it is judged where it has
# come to.
CONTINUED = {2: 4, 3: 3, 4: 4}
# Counts the ways to judge there have been: one more whenever the same weights say other things.
REVISION = 2


def version(seats: int) -> str:
    """Stands for the weights and for how they are used."""
    return version_of(REVISION, stored(WEIGHTS, seats))


@cache
def network(seats: int) -> Network:
    return load(stored(WEIGHTS, seats))


def shares(seen: Mapping[str, Any]) -> Shares:
    """The win share of every seat where somebody is to decide and plays well from here on."""
    s = position(seen)
    if s[k.PICKER] >= 0:
        return actions(seen)[0].shares
    found = np.zeros(s[k.SEATS])
    judge.judged(tuple(network(len(found))), s, judge.desk(len(found)), found)
    return tuple(found.tolist())


def actions(seen: Mapping[str, Any], *, thorough: bool = False) -> list[Prospect]:
    """The actions, the best for who decides first, with everybody's shares after each; thoroughly
    in the order of the Grand Vizier, without what it does not look at."""
    s = position(seen)
    seats = int(s[k.SEATS])
    numbers, found = np.zeros(k.MOST_ACTIONS, np.int64), np.zeros((k.MOST_ACTIONS, seats))
    count = judge.weigh(tuple(network(seats)), s, FURTHER, judge.desk(seats), numbers, found)
    prospects = {
        notation(s, action): tuple(row)
        for action, row in zip(numbers[:count].tolist(), found[:count].tolist(), strict=True)
    }
    if not thorough:
        return [Prospect(action, shares) for action, shares in prospects.items()]
    order = deepening.ranked(s, np.zeros(k.MOST_ACTIONS, np.int64))
    return [Prospect(name, prospects[name]) for name in (notation(s, each) for each in order)]


def faces(seen: Mapping[str, Any], action: str) -> list[Face]:
    """No die falls in Ifrito."""
    return []


def trials(
    seen: Mapping[str, Any], action: str, seed: int, first: int, count: int
) -> list[tuple[int, ...]]:
    """What so many continuations come to, in millionths that need not sum to a whole win."""
    s = position(seen)
    seats = int(s[k.SEATS])
    outcomes = np.zeros((count, seats), np.int64)
    continuing.continued(
        tuple(network(seats)),
        s,
        numbered(s)[action],
        CONTINUED[seats],
        seed,
        first,
        count,
        judge.desk(seats),
        outcomes,
    )
    return [tuple(row) for row in outcomes.tolist()]
