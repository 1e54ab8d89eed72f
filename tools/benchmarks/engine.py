"""How fast the engine plays, and how fast it verifies."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.engine.chance import SEED_BYTES, SeededSource
from games.engine.games import ruleset
from games.engine.interface import Decide, play
from games.engine.record import Record, read, verify, write
from games.titles import TITLES
from tools.benchmarks.measure import Measurement, duration, rate
from tools.bots import has_tools, tools_of
from tools.bots.speed_targets import EngineSpeedTarget
from tools.random_games import simulated_game

# How often a record is verified in one run, so that the clock can tell.
COUNT = 20


def run(repeats: int) -> list[Measurement]:
    return [
        measured
        for key in TITLES
        if has_tools(key, "speed_targets")
        for measured in _measured(key, tools_of(key, "speed_targets").ENGINE, repeats)
    ]


def _measured(key: str, promised: EngineSpeedTarget, repeats: int) -> Iterator[Measurement]:
    record = _record(key, seats=promised.seats, moves=promised.moves)
    text = write(record)
    yield rate(
        promised.games,
        lambda: _play_games(key, seats=promised.seats, count=promised.batch),
        count=promised.batch,
        repeats=repeats,
        target=promised.games_a_second,
    )
    yield duration(
        f"replay and verify {promised.record}",
        lambda: [verify(record) for _ in range(COUNT)],
        count=COUNT,
        repeats=repeats,
        target=promised.verified_in,
    )
    if promised.read_and_verified_in:
        yield duration(
            "the same, with reading its text",
            lambda: [verify(read(text)) for _ in range(COUNT)],
            count=COUNT,
            repeats=repeats,
            target=promised.read_and_verified_in,
        )


def _play_games(game: str, *, seats: int, count: int) -> None:
    rules = ruleset(game)
    rng = random.Random(0)
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
