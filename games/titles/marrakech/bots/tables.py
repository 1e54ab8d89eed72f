"""The board of Marrakech as arrays for compiled code, made from the engine's geometry.

Squares and poses are the engine's numbers. The code of a spot is 2 × its lower or left square,
plus 1 where the rug lies across columns, so that ascending codes are ascending notations.
"""

from __future__ import annotations

import numpy as np

from games.titles.marrakech.rules.geometry import DIE, REACH, SQUARES, STRIDE, WALKS, Spot

SIZE = STRIDE * STRIDE
MOST_SPOTS = 12
SIDES = len(DIE)
FACE_OF_SIDE = np.array([sorted(set(DIE)).index(face) for face in DIE], np.int64)
"""By the number of the die's side: which of its values that is."""
MAX_ROLLS = 48
"""No game has more: each roll lays one of at most 48 rugs, or puts its player out."""


def code(spot: Spot) -> int:
    one, other = spot.squares
    return 2 * one + (other - one == STRIDE)


def _walks() -> np.ndarray:
    """The pose at the end of a walk, by pose and by each of the six faces of the die."""
    ends = np.zeros((4 * SIZE, SIDES), np.int64)
    for pose, walks in WALKS.items():
        ends[pose] = [walks[face].end for face in DIE]
    return ends


def _reach() -> np.ndarray:
    """By Assam's square: the codes of the spots beside him, ascending, filled up with -1."""
    codes = np.full((SIZE, MOST_SPOTS), -1, np.int64)
    for square in SQUARES:
        beside = [code(spot) for spot in REACH[square]]
        codes[square, : len(beside)] = beside
    return codes


WALK = _walks()
REACHED = _reach()
REACHED_COUNT = (REACHED >= 0).sum(axis=1)
