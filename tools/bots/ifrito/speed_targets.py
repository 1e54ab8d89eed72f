"""How fast Ifrito must be."""

from __future__ import annotations

from tools.bots.speed_targets import EngineSpeedTarget

ENGINE = EngineSpeedTarget(
    games="random two-player games of Ifrito",
    seats=2,
    batch=10,
    games_a_second=60,
    record="an Ifrito record of 135 moves",
    moves=135,
    verified_in=8,
)
