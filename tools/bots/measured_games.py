"""Measurements of many games of one kind, the same for each game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class MeasuredGames(NamedTuple):
    """What an evaluator said of complete games."""

    shares: np.ndarray
    """By game, moment and seat; negative after the last moment of a game."""
    baseline_points: np.ndarray
    """In the same order, what a player would go by who only counts."""
    luck: np.ndarray
    """In the same order, what the chance of that moment changed."""
    wins: np.ndarray
    """By game and seat."""


class SimulatedTables(NamedTuple):
    """Games for players whose strength and partners are known."""

    error_rates: np.ndarray
    """By game and seat: how often a random action is played instead of the best."""
    friends: np.ndarray
    """By game and seat: the partner's seat, or -1."""
    collusion_rate: float
    """How often a player decides for the partner."""


class SimulatedResults(NamedTuple):
    """What an evaluator says of such games."""

    wins: np.ndarray
    """By game and seat, like all that follows."""
    luck: np.ndarray
    start: np.ndarray
    favours: np.ndarray
    """By giver and receiver, too: see `reckon.judged.company`."""
