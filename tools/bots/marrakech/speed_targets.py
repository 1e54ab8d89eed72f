"""How fast Marrakech must be."""

from __future__ import annotations

from tools.bots.speed_targets import CompiledSpeedTarget, EngineSpeedTarget

ENGINE = EngineSpeedTarget(
    games="random four-player games of Marrakech",
    seats=4,
    batch=50,
    games_a_second=1000,
    # Nobody goes out: each of the 48 rugs is a turn and a lay.
    record="a Marrakech record of 96 moves",
    moves=96,
    verified_in=2,
    read_and_verified_in=3,
)


def _random_games(count: int) -> None:
    from tools.bots.marrakech.random_games import play_random_games

    play_random_games(count, 4, True, False, False, 1)


COMPILED = CompiledSpeedTarget(
    games="random four-player games of Marrakech, compiled",
    batch=50_000,
    games_a_second=300_000,
    play=_random_games,
)
