"""Whole games of Ifrito on rows of numbers, for practice and review: from the first turn to the
end, and with the one end that search does not see, a position that stands for the third time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots.search import ALIKE, weigh
from games.titles.ifrito.rules.rules import REPETITIONS

Choose = Callable[[np.ndarray], int]
"""From a position to an action."""


class PlayedGame(NamedTuple):
    turns: np.ndarray
    """The position at the beginning of each turn."""
    wins: np.ndarray
    """Of every seat."""


def play_game(seats: int, choose: Choose) -> PlayedGame:
    """One game, in which everybody chooses in this way."""
    s = np.zeros(k.LENGTH, np.int64)
    k.start(s, seats)
    turns: list[np.ndarray] = []
    stood: Counter[tuple[object, ...]] = Counter()
    while not s[k.ENDED]:
        if s[k.PICKER] < 0:
            if s[k.QUIET] == 0:
                stood.clear()
            key = _key(s)
            stood[key] += 1
            if stood[key] == REPETITIONS:
                break
            turns.append(s.copy())
        k.act(s, choose(s))
    wins = np.zeros(seats)
    k.share_wins(s, wins)
    return PlayedGame(np.array(turns), wins)


def search_player(widths: np.ndarray, rng: np.random.Generator) -> Choose:
    """Players who look so many actions ahead, and choose by chance among what looks alike."""
    into, scores = np.zeros(k.MOST_ACTIONS, np.int64), np.zeros(k.MOST_ACTIONS, np.int64)

    def choose(s: np.ndarray) -> int:
        noise = rng.integers(0, ALIKE, k.MOST_ACTIONS)
        count = weigh(s, widths, noise, into, scores)
        return int(into[np.argmax(scores[:count])])

    return choose


def random_player(rng: np.random.Generator) -> Choose:
    """Players who do anything."""
    into = np.zeros(k.MOST_ACTIONS, np.int64)
    return lambda s: int(into[rng.integers(k.actions(s, into))])


def _key(s: np.ndarray) -> tuple[object, ...]:
    """What makes two positions the same: carpets of one owner are alike."""
    row = s.tolist()
    each, carpets = row[k.EACH], row[k.SEATS] * row[k.EACH]
    lying = sorted((c // each, row[k.PLACE + c], row[k.SEATED + c]) for c in range(carpets))
    return row[k.TURN], row[k.GENIES], *lying
