"""How fast Marrakech must be."""

from __future__ import annotations

from games.titles.promises import EngineSpeed, KernelSpeed

ENGINE = EngineSpeed(
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
    from .bots.kernel import random_games

    random_games(count, 4, True, False, False, 1)


KERNEL = KernelSpeed(
    games="random four-player games of Marrakech, compiled",
    batch=50_000,
    games_a_second=300_000,
    play=_random_games,
)
