"""The games of the house, by their key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import BadOptions
from .ifrito import IFRITO
from .interface import Ruleset
from .marrakech import MARRAKECH

RULESETS: Mapping[str, Ruleset[Any]] = {rules.key: rules for rules in (MARRAKECH, IFRITO)}


def ruleset(key: str) -> Ruleset[Any]:
    """The game of this name, or a sentence that names those that are there."""
    try:
        return RULESETS[key]
    except (KeyError, TypeError):
        raise BadOptions(f"unknown game {key!r}, expected one of {', '.join(RULESETS)}") from None
