"""The words of a judge: what a room with one answers in its `bots.prospects`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

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


class Reviews(NamedTuple):
    """What was said of complete games, for measuring a judge."""

    shares: np.ndarray
    """By game, moment and seat; negative after the last moment of a game."""
    points: np.ndarray
    """In the same order, what somebody would go by who only counts."""
    luck: np.ndarray
    """In the same order, what the chance of that moment changed."""
    wins: np.ndarray
    """By game and seat."""


class Tables(NamedTuple):
    """Games to be played by players about whom everything is known."""

    slips: np.ndarray
    """By game and seat: how often a random action is played instead of the best."""
    friends: np.ndarray
    """By game and seat: the seat that is favoured, or -1."""
    bent: float
    """In which share of the decisions it is."""


class Society(NamedTuple):
    """What a judge says of such games."""

    wins: np.ndarray
    """By game and seat, like all that follows."""
    luck: np.ndarray
    start: np.ndarray
    favours: np.ndarray
    """By giver and receiver, too: see `reckon.judged.company`."""


def weights_folder(key: str) -> Path:
    return Path(__file__).parent / key / "bots" / "weights"


def stored(weights: Path, seats: int) -> Path:
    """Where a room keeps what its judge has learned, by the number of players."""
    return weights / f"{seats}.npz"


def version_of(revision: int, weights: Path) -> str:
    return f"{revision}-{hashlib.sha256(weights.read_bytes()).hexdigest()[:16]}"
