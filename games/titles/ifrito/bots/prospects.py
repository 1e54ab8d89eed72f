"""What the judge says of an observation of Ifrito, in notation: for bots, reckonings and hints.

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
from games.titles.network import Network, exponential, load

from . import deepening, judge
from . import kernel as k
from .deepening import BUDGET, WIDTHS
from .practice import WEIGHTS
from .reading import notation, position
from .search import WIN

# A worth of so much is worth e times the odds to win.
DECISIVE = 300.0


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
    return _shares(s, judge.desk(int(s[k.SEATS])))


def actions(seen: Mapping[str, Any], *, thorough: bool = False) -> list[Prospect]:
    """The actions, the best for who decides first, with everybody's shares after each.

    By the network alone all of them; thoroughly those that are worth a look ahead.
    """
    s = position(seen)
    return _searched(s) if thorough else _glanced(s)


def faces(seen: Mapping[str, Any], action: str) -> list[Face]:
    """No die falls in Ifrito."""
    return []


def _glanced(s: np.ndarray) -> list[Prospect]:
    found = np.zeros(k.MOST_ACTIONS, np.int64)
    count, decider = k.actions(s, found), k.decider(s)
    desk, after = judge.desk(int(s[k.SEATS])), np.zeros_like(s)
    prospects = []
    for action in found[:count].tolist():
        after[:] = s
        k.act(after, action)
        prospects.append(Prospect(notation(s, action), _shares(after, desk)))
    return sorted(prospects, key=lambda each: -each.shares[decider])


def _searched(s: np.ndarray) -> list[Prospect]:
    """By the search, whose worth becomes the decider's share; the others share what is left as
    the network sees it."""
    found, scores = (np.zeros(k.MOST_ACTIONS, np.int64) for _ in range(2))
    noise = np.zeros(k.MOST_ACTIONS, np.int64)
    count, decider = deepening.weigh(s, WIDTHS, BUDGET, noise, found, scores), k.decider(s)
    order = sorted(range(count), key=lambda index: -scores[index])
    desk, after = judge.desk(int(s[k.SEATS])), np.zeros_like(s)
    prospects = []
    for index in order:
        if scores[index] <= -2 * WIN:
            continue
        after[:] = s
        k.act(after, found[index])
        seen = _shares(after, desk)
        own = _odds(int(scores[index]), int(s[k.SEATS] - s[k.LEFT : k.LEFT + 4].sum()))
        rest = sum(seen) - seen[decider]
        prospects.append(
            Prospect(
                notation(s, int(found[index])),
                tuple(
                    own if seat == decider else share * (1 - own) / rest if rest else 0.0
                    for seat, share in enumerate(seen)
                ),
            )
        )
    return prospects


def _odds(worth: int, still_in: int) -> float:
    """The share to win that a worth means among so many."""
    if abs(worth) >= WIN:
        return float(worth > 0)
    against = exponential(-min(abs(worth) / DECISIVE, 80.0))
    ahead, behind = (1.0, against) if worth > 0 else (against, 1.0)
    return float(ahead / (ahead + behind * (still_in - 1)))


def _shares(s: np.ndarray, desk: Any) -> Shares:
    found = np.zeros(s[k.SEATS])
    judge.judged(tuple(network(len(found))), s, desk, found)
    return tuple(found.tolist())


def _stored(seats: int) -> Path:
    return WEIGHTS / f"{seats}.npz"
