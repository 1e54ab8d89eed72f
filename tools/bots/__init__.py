"""Training and measuring of bots. What belongs to one game is in a package with its key."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any


def tools_of(game: str, module: str) -> Any:
    return import_module(f"{__name__}.{game}.{module}")


def has_tools(game: str, module: str) -> bool:
    package = find_spec(f"{__name__}.{game}")
    return package is not None and find_spec(f"{__name__}.{game}.{module}") is not None
