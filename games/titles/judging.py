"""The words of a judge: what a room with one answers in its `bots.prospects`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

Shares = tuple[float, ...]
"""The win share of every seat; they sum to 1."""


class Prospect(NamedTuple):
    """An action, and what is to be expected after it."""

    action: str
    shares: Shares


class Face(NamedTuple):
    """A value of the die, on how many of its sides it is, and what is to be expected after it."""

    value: int
    sides: int
    shares: Shares


def weights_folder(key: str) -> Path:
    return Path(__file__).parent / key / "bots" / "weights"


def stored(weights: Path, seats: int) -> Path:
    """Where a room keeps what its judge has learned, by the number of players."""
    return weights / f"{seats}.npz"


def version_of(revision: int, weights: Path) -> str:
    return f"{revision}-{hashlib.sha256(weights.read_bytes()).hexdigest()[:16]}"
