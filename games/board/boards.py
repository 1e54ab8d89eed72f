"""The drawing of each game, by its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import ifrito, marrakech

BOARDS: Mapping[str, Callable[..., Any]] = {
    "marrakech": marrakech.draw,
    "ifrito": ifrito.draw,
}


def draw(observation: Mapping[str, Any], **how: Any) -> Any:
    """The picture of an observation, whatever game it is of."""
    return BOARDS[observation["game"]](observation, **how)
