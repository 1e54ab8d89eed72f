"""Records for tests: whole ones, running ones, and ones that somebody changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from games.engine.chance import SeededSource, commitment, deal
from games.engine.games import ruleset
from games.engine.interface import Decide, play
from games.engine.record import (
    Fairness,
    Record,
    RecordedMove,
    build,
    read,
    recorded_facts,
    verify,
)
from tests.engine.test_golden import lines

SEED = bytes(range(32))


@cache
def simple() -> str:
    """A finished game of four with turning before."""
    return next(
        line for line in lines("marrakech") if len(read(line).moves) == 96 and "Player 4" in line
    )


@cache
def paired() -> str:
    """A finished game of two, with piles."""
    return lines("marrakech")[0]


def data(text: str) -> dict[str, Any]:
    return json.loads(text)


def checked(value: object) -> Any:
    return verify(read(json.dumps(value)))


def running(seats: int, length: int, **options: Any) -> Record:
    """A game that has come so far, built from all that the server knows."""
    rules = ruleset("marrakech")
    words = ("word",) * seats
    chosen = rules.options(options)
    piles = deal(SEED, words, rules.decks(seats, chosen))
    source = SeededSource(SEED, words)
    state = rules.start(seats, chosen, piles)
    moves = []
    for n in range(1, length + 1):
        pending = rules.pending(state)
        assert isinstance(pending, Decide)
        action = rules.legal(state)[-1]
        state, facts = play(rules, state, pending.seat, action, source)
        at = f"2026-11-16T09:{n:02}:00Z"
        moves.append(RecordedMove(n, pending.seat, action, recorded_facts(rules, facts), at))
    return build(
        rules,
        state,
        id="k7Qm",
        options=chosen,
        names=[f"Zoë {seat} \U0001f42a" for seat in range(seats)],
        piles=piles,
        fairness=Fairness(commitment(SEED), words, SEED),
        moves=moves,
    )


def inside(value: Any, way: Sequence[Any]) -> Any:
    """What stands in a record at the end of this way of keys."""
    for key in way:
        value = value[key]
    return value


def changed(path: Sequence[Any], wrong: object) -> dict[str, Any]:
    """The simple game with something else at one place."""
    value = data(simple())
    inside(value, path[:-1])[path[-1]] = wrong
    return value
