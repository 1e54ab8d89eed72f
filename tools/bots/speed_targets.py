"""How fast a game must be; `python -m tools bench` measures it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class EngineSpeedTarget:
    """Of the rules: random games, and the verification of a record of a known length."""

    games: str
    """What is played, in words, and by how many."""
    seats: int
    batch: int
    """How many games make up one run, so that the clock can tell."""
    games_a_second: float
    record: str
    moves: int
    verified_in: float
    """Milliseconds."""
    read_and_verified_in: float | None = None


@dataclass(frozen=True)
class CompiledSpeedTarget:
    """Of the compiled rules of the bots, on one core."""

    games: str
    batch: int
    games_a_second: float
    play: Callable[[int], object]
    """Plays so many random games; loads compiled code, so call it late."""
