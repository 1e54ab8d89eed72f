"""The games of the house: one room each, found by being there.

A room is a folder with a `title.py` that states what the game is and brings. Nothing outside
the rooms names a game.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from games.engine import games

from .manifest import Title
from .speaking import Words

log = logging.getLogger(__name__)

BROKEN: dict[str, str] = {}
"""The rooms that cannot be entered, with the reason: they keep no other game from being played."""


def _open(room: str) -> Title | None:
    try:
        title: Title = import_module(f"{__name__}.{room}.title").TITLE
        if title.key != room:
            raise ValueError(f"its rules have the key {title.key!r}")
    except Exception as error:
        BROKEN[room] = f"{type(error).__name__}: {error}"
        log.exception("the room %s cannot be entered", room)
        return None
    return title


def _all_rooms() -> dict[str, Title]:
    rooms = sorted(path.parent.name for path in Path(__file__).parent.glob("*/title.py"))
    opened = [title for room in rooms if (title := _open(room))]
    return {title.key: title for title in sorted(opened, key=lambda each: (each.shelf, each.key))}


TITLES: Mapping[str, Title] = _all_rooms()
for _title in TITLES.values():
    games.enter(_title.rules)


def find(key: str) -> Title | None:
    return TITLES.get(key)


def has_part(key: str, name: str) -> bool:
    """Whether the room has this module; does not load it."""
    try:
        return find_spec(f"{__name__}.{key}.{name}") is not None
    except ModuleNotFoundError:
        return False


@cache
def part(key: str, name: str) -> ModuleType:
    """A module of the room of a game."""
    return import_module(f"{__name__}.{key}.{name}")


def draw(observation: Mapping[str, Any], **how: Any) -> Any:
    """The picture of an observation, whatever game it is of; None where its room has no board."""
    drawing = brings(observation["game"], "board", "draw")
    return drawing(observation, **how) if drawing else None


@cache
def words(key: str) -> Words:
    """How a game speaks: in its own words or, where its room has none, in those of the house."""
    return brings(key, "words", "WORDS") or Words()


@cache
def brings(key: str, module: str, name: str) -> Any:
    """What a module of the room defines under this name; None where it does not."""
    if not has_part(key, module):
        return None
    try:
        return getattr(part(key, module), name, None)
    except Exception:
        # A room in the making must not take the pages down on which its game is one of many.
        log.exception("%s of %s.%s cannot be used", name, key, module)
        return None
