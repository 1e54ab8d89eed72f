"""What the judge says of an observation, in notation: for bots, reckonings and hints.

Nothing here is left to chance: the same observation has the same prospect for ever, with the same
weights, and what is continued always meets the same dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from games.titles.judging import Face, Prospect, Shares, stored, version_of, weights_folder
from games.titles.marrakech.rules.geometry import DIE
from games.titles.network import Network, load

from . import continuing, grand_vizier, judge
from . import kernel as k
from .features import FACES
from .habits import Habits
from .reading import number, position
from .tables import MOST_SPOTS

WEIGHTS = weights_folder("marrakech")
# By how many players the Grand Vizier goes by a network of its own. Between two, what one gains
# the other loses, so a player who is strong among equals is strong against all.
GRAND_VIZIER_NETWORKS = (3, 4)
# How many turns ahead, and for how many of the best rugs, a turn and a rug are weighed.
QUICK = grand_vizier.Effort(0, 1, 0, 1)
CAREFUL = grand_vizier.Effort(1, 3, 1, 3)
THOROUGH = {
    2: grand_vizier.Effort(2, 4, 2, 8),
    3: grand_vizier.Effort(2, 4, 2, 12),
    4: grand_vizier.Effort(2, 4, 2, 12),
}
# What Viziers did in 60 games of each size is likeliest with these, by the network that the Grand
# Vizier goes by. Oneself is taken to be surer.
HABITS = {
    2: Habits(rug_win=37.8, rug_point=1.85, turn_win=54.3, turn_point=1.60, own_win=200.0),
    3: Habits(rug_win=21.0, rug_point=2.14, turn_win=22.6, turn_point=1.76, own_win=200.0),
    4: Habits(rug_win=21.2, rug_point=1.86, turn_win=25.3, turn_point=2.23, own_win=200.0),
}


# How many rounds a continuation goes on before the network judges where it has come to.
ROUNDS = 1


# Counts the ways to judge there have been: one more whenever the same weights say other things.
REVISION = 3


def version(seats: int) -> str:
    """Stands for the weights and for how they are used."""
    return version_of(REVISION, stored(WEIGHTS, seats))


@cache
def network(seats: int) -> Network:
    return load(stored(WEIGHTS, seats))


@cache
def grand_viziers(seats: int) -> Network:
    """What the Grand Vizier goes by: what is true of tables at which all others are Viziers."""
    if seats in GRAND_VIZIER_NETWORKS:
        return load(WEIGHTS / f"among-viziers-{seats}.npz")
    return network(seats)


def shares(seen: Mapping[str, Any]) -> Shares:
    """The win share of every seat where somebody is to decide and plays well from here on."""
    s = position(seen)
    if s[k.PHASE] in (k.TURN, k.ROLL):
        found = np.zeros(s[k.SEATS])
        judge.judged(tuple(network(len(found))), s, judge.desk(len(found)), found)
        return tuple(found.tolist())
    return actions(seen)[0].shares


def actions(
    seen: Mapping[str, Any], *, careful: bool = False, thorough: bool = False
) -> list[Prospect]:
    """All actions, the best for who decides first, with everybody's shares after each."""
    s = position(seen)
    seats = int(s[k.SEATS])
    if thorough:
        numbers, found = _weighed(s, grand_viziers(seats), THOROUGH[seats], HABITS[seats])
    else:
        numbers, found = _weighed(s, network(seats), CAREFUL if careful else QUICK)
    named = {number(action): action for action in seen["legal"]}
    return [
        Prospect(named[each], tuple(row))
        for each, row in zip(numbers.tolist(), found.tolist(), strict=True)
    ]


def faces(seen: Mapping[str, Any], action: str, *, careful: bool = False) -> list[Face]:
    """What each value of the die brings everybody after this turn of Assam."""
    s = position(seen)
    seats = int(s[k.SEATS])
    effort = CAREFUL if careful else QUICK
    rows, mean = np.zeros((len(FACES), seats)), np.zeros(seats)
    grand_vizier.weigh_faces(
        tuple(network(seats)),
        s,
        number(action),
        effort.rug_depth,
        effort.rug_width,
        None,
        judge.desk(seats),
        grand_vizier.study(seats),
        rows,
        mean,
    )
    return [
        Face(DIE[side], DIE.count(DIE[side]), tuple(row))
        for side, row in zip(FACES.tolist(), rows.tolist(), strict=True)
    ]


def _weighed(
    s: np.ndarray, weights: Network, effort: grand_vizier.Effort, habits: Habits | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The actions, the best first, and everybody's shares after each."""
    seats = int(s[k.SEATS])
    numbers, found = np.zeros(MOST_SPOTS, np.int64), np.zeros((MOST_SPOTS, seats))
    count = grand_vizier.weigh(
        tuple(weights),
        s,
        effort,
        habits,
        judge.desk(seats),
        grand_vizier.study(seats),
        numbers,
        found,
    )
    return numbers[:count], found[:count]


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
        number(action),
        ROUNDS * seats,
        seed,
        first,
        count,
        judge.desk(seats),
        outcomes,
    )
    return [tuple(row) for row in outcomes.tolist()]
