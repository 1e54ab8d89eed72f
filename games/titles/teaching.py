"""Positions to learn from: what a game's rules page shows, and what its tutorial plays.

Both are written down as moves (`turn:S=2 lay:c3d3`, the number after the equals sign being
what the die shows), are played by the engine and drawn by the board each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Example:
    """A position, how it is drawn, and what is said of it, which a test holds the engine to.

    `chosen` is an action that is drawn but not played: allowed or, for a counter-example, not.
    `facts` is what the last move brought, `seen` what is to be seen afterwards; both by paths
    such as `players.0.points`.
    """

    moves: str = ""
    seats: int = 3
    options: Mapping[str, Any] = field(default_factory=dict)
    asks: bool = False
    """Draw what the seat to act can choose from."""
    tapped: str = ""
    """What was tapped so far, where a choice takes several taps."""
    chosen: str = ""
    allowed: bool | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    seen: Mapping[str, Any] = field(default_factory=dict)
    legal: Sequence[str] = ()
    illegal: Sequence[str] = ()


@dataclass(frozen=True)
class Scene:
    """A part of a tutorial: the learner, always seat 0, makes so many decisions from here on.

    `dice` are what the learner rolls. `others` is what the other seats do afterwards; where
    the learner left no room for it, they do the like elsewhere, or nothing.
    """

    key: str
    start: Example
    decisions: int
    dice: tuple[int, ...] = ()
    others: str = ""
