"""Positions of real games, played by chance, with the facts of the move that led to each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.engine.interface import Decide, play
from games.titles.marrakech.rules import MARRAKECH


@dataclass(frozen=True)
class Position:
    seen: dict[str, Any]
    last: dict[str, Any]
    before: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.seen["pending"].get("kind", ""))


class Dice:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def draw(self, event: int, faces: tuple[int, ...]) -> int:
        return self.chance.choice(faces)


def play_out(seed: int, seats: int, options: dict[str, Any]) -> Iterator[Position]:
    dice = Dice(seed)
    full = MARRAKECH.options(options)
    state = MARRAKECH.start(seats, full, MARRAKECH.decks(seats, full))
    last: dict[str, Any] = {}
    before: dict[str, Any] = {}
    while True:
        seen = dict(MARRAKECH.observe(state, None))
        yield Position(seen, last, before)
        node = MARRAKECH.pending(state)
        if not isinstance(node, Decide):
            return
        action = dice.chance.choice(MARRAKECH.legal(state))
        state, facts = play(MARRAKECH, state, node.seat, action, dice)
        last, before = {"action": action, "seat": node.seat, **facts}, seen


@cache
def positions() -> tuple[Position, ...]:
    return (
        *play_out(1, 4, {}),
        *play_out(2, 2, {"insolvency": "out"}),
        *play_out(3, 3, {"turning": "after"}),
    )


def of_kind(kind: str) -> list[Position]:
    return [position for position in positions() if position.kind == kind]
