"""How fast the engine plays, and how fast it verifies."""

from __future__ import annotations

import random

from games.engine.chance import SEED_BYTES, SeededSource
from games.engine.games import ruleset
from games.engine.interface import Decide, play
from games.engine.record import Record, read, verify, write
from games.management.simulation import simulated_game

from .measure import Measurement, duration, rate

# Marrakech for four in which nobody goes out: each of the 48 rugs is a turn and a lay.
FULL_MARRAKECH = 96
LONG_IFRITO = 135
# How often a record is verified in one run, so that the clock can tell.
COUNT = 20


def run(repeats: int) -> list[Measurement]:
    marrakech = _record("marrakech", seats=4, moves=FULL_MARRAKECH)
    ifrito = _record("ifrito", seats=2, moves=LONG_IFRITO)
    text = write(marrakech)
    return [
        rate(
            "random four-player games of Marrakech",
            lambda: _play_games("marrakech", seats=4, count=50),
            count=50,
            repeats=repeats,
            target=1000,
        ),
        _verification("a Marrakech record of 96 moves", marrakech, repeats, target=2),
        duration(
            "the same, with reading its text",
            lambda: [verify(read(text)) for _ in range(COUNT)],
            count=COUNT,
            repeats=repeats,
            target=3,
        ),
        rate(
            "random two-player games of Ifrito",
            lambda: _play_games("ifrito", seats=2, count=10),
            count=10,
            repeats=repeats,
            target=60,
        ),
        _verification("an Ifrito record of 135 moves", ifrito, repeats, target=8),
    ]


def _verification(what: str, record: Record, repeats: int, *, target: float) -> Measurement:
    return duration(
        f"replay and verify {what}",
        lambda: [verify(record) for _ in range(COUNT)],
        count=COUNT,
        repeats=repeats,
        target=target,
    )


def _play_games(game: str, *, seats: int, count: int) -> None:
    rules = ruleset(game)
    rng = random.Random(0)  # noqa: S311
    for _ in range(count):
        source = SeededSource(rng.randbytes(SEED_BYTES), ("bench",) * seats)
        state = rules.start(seats, {}, ())
        while isinstance(pending := rules.pending(state), Decide):
            legal = rules.legal(state)
            action = legal[int(rng.random() * len(legal))]
            state, _ = play(rules, state, pending.seat, action, source)


def _record(game: str, *, seats: int, moves: int) -> Record:
    """The first simulated game of exactly this length."""
    rules = ruleset(game)
    for seed in range(10_000):
        record = simulated_game(rules, seats=seats, options=rules.options({}), seed=str(seed))
        if len(record.moves) == moves:
            return record
    raise AssertionError(f"no game of {moves} moves was found")
