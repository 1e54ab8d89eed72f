"""What a game says of itself, so that the house can find it and knows what it brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.engine.interface import Ruleset


@dataclass(frozen=True)
class Title:
    """One game of the house; its room is the package beside this file that has its key."""

    rules: Ruleset[Any]
    bot_levels: tuple[str, ...] = ()
    """From the weakest to the strongest; none where nobody wrote a bot."""

    is_taught: bool = False
    """Whether the room has examples for a rules page and a lesson."""
    shelf: int = 100
    """Where it stands in lists of games: lower numbers first."""

    @property
    def key(self) -> str:
        return self.rules.key
