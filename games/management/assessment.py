"""How good a judge is: are its shares true, do they say something, and how much luck do they
explain?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from games.titles.judging import Reviews

FIFTHS = 5
BINS = 10
LEAST = 1e-6
# For those who only count points: how many of them are worth a win, whichever fits best.
TEMPERATURES = np.geomspace(0.5, 128, 33)


@dataclass(frozen=True, slots=True)
class Part:
    """A fifth of the games, or all of them."""

    calibration: float
    """How far the shares are from what came of them, on average over tenths."""
    loss: float
    by_points: float
    """The loss of whoever goes by points, at the temperature that fits this part best."""
    uniform: float


@dataclass(frozen=True, slots=True)
class Assessment:
    games: int
    parts: tuple[Part, ...]
    whole: Part
    variance_left: float
    """Of the results, when all luck is taken away from them."""


def assessed(reviews: Reviews) -> Assessment:
    there = reviews.shares[:, :, 0] >= 0
    moments = there.sum(axis=1, keepdims=True)
    numbers = np.arange(there.shape[1])[None, :]
    fifth = np.minimum(FIFTHS * numbers // np.maximum(moments, 1), FIFTHS - 1)
    outcomes = np.broadcast_to(reviews.wins[:, None, :], reviews.shares.shape)

    def part(chosen: np.ndarray) -> Part:
        return _part(reviews.shares[chosen], reviews.points[chosen], outcomes[chosen])

    without_luck = reviews.wins - reviews.luck.sum(axis=1)
    return Assessment(
        games=len(reviews.wins),
        parts=tuple(part(there & (fifth == number)) for number in range(FIFTHS)),
        whole=part(there),
        variance_left=float(without_luck.var(axis=0).sum() / reviews.wins.var(axis=0).sum()),
    )


def _part(shares: np.ndarray, points: np.ndarray, outcomes: np.ndarray) -> Part:
    return Part(
        calibration=_calibration(shares.ravel(), outcomes.ravel()),
        loss=_loss(shares, outcomes),
        by_points=min(_loss(_softmax(points / t), outcomes) for t in TEMPERATURES),
        uniform=float(np.log(shares.shape[1])),
    )


def _calibration(shares: np.ndarray, outcomes: np.ndarray) -> float:
    tenth = np.minimum((shares * BINS).astype(int), BINS - 1)
    size = np.bincount(tenth, minlength=BINS)
    said, came = (np.bincount(tenth, each, BINS) for each in (shares, outcomes))
    return float(np.abs(said - came).sum() / size.sum())


def _loss(shares: np.ndarray, outcomes: np.ndarray) -> float:
    return float(-(outcomes * np.log(np.maximum(shares, LEAST))).sum(axis=1).mean())


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
