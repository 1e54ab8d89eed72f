"""One deliberate fault."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    name: str
    file: str
    text: str
    instead: str
    tests: str
    """What is given to pytest: files or single tests, and options if need be."""
