"""The words of a judge: what a room with one answers in its `bots.prospects`."""

from __future__ import annotations

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
