"""The games that the engine knows, by their key. Each room of the house enters its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .errors import BadOptions
from .interface import Ruleset

_ENTERED: dict[str, Ruleset[Any]] = {}
RULESETS: Mapping[str, Ruleset[Any]] = MappingProxyType(_ENTERED)


def enter(rules: Ruleset[Any]) -> None:
    _ENTERED[rules.key] = rules


def ruleset(key: str) -> Ruleset[Any]:
    """The game of this name, or a sentence that names those that are there."""
    try:
        return RULESETS[key]
    except (KeyError, TypeError):
        raise BadOptions(f"unknown game {key!r}, expected one of {', '.join(RULESETS)}") from None
