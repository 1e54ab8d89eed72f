"""The games of the house: one room each, found by being there.

A room is a folder with a `title.py` that states what the game is and brings. Nothing outside
the rooms names a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from games.engine import games

from .manifest import Title
from .speaking import Words

_HERE = Path(__file__).parent
_ROOMS = sorted(path.parent.name for path in _HERE.glob("*/title.py"))
_SPEAKING = {path.parent.name for path in _HERE.glob("*/words.py")}

TITLES: Mapping[str, Title] = {
    title.key: title
    for title in sorted(
        (import_module(f"{__name__}.{room}.title").TITLE for room in _ROOMS),
        key=lambda title: (title.shelf, title.key),
    )
}
for _title in TITLES.values():
    games.enter(_title.rules)


@cache
def part(key: str, name: str) -> ModuleType:
    """A module of the room of a game."""
    return import_module(f"{__name__}.{key}.{name}")


def draw(observation: Mapping[str, Any], **how: Any) -> Any:
    """The picture of an observation, whatever game it is of."""
    return part(observation["game"], "board").draw(observation, **how)


@cache
def words(key: str) -> Words:
    """How a game speaks: in its own words or, where its room has none, in those of the house."""
    if key not in _SPEAKING:
        return Words()
    found: Words = part(key, "words").WORDS
    return found
