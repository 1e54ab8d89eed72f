"""How good a judge is: are its shares true, do they say something, and how much luck do they
explain?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tools.bots.measured_games import MeasuredGames

FIFTHS = 5
BINS = 10
LEAST = 1e-6
# For those who only count points: how many of them may be worth a win.
TEMPERATURES = np.geomspace(0.5, 128, 33)


@dataclass(frozen=True, slots=True)
class LogLoss:
    """By the outcomes as they came, and again without luck: it only adds scatter to both."""

    as_it_came: float
    without_luck: float


@dataclass(frozen=True, slots=True)
class QualityFigures:
    """A fifth of the games, or all of them."""

    calibration: float
    """How far the shares are from what came of them, on average over tenths."""
    without_luck: float
    """The same with the luck that came later taken from what came: it is nothing on average, so
    this measures the same thing with less scatter."""
    by_chance: float
    """What somebody who is always right would be found wrong by in that, on so many games."""
    loss: LogLoss
    by_points: LogLoss
    """Of whoever goes by points, at the temperature that fits this part of other games best."""
    uniform: float


@dataclass(frozen=True, slots=True)
class EvaluatorQuality:
    games: int
    parts: tuple[QualityFigures, ...]
    whole: QualityFigures
    variance_left: float
    """Of the results, when all luck is taken away from them."""


def measure_quality(reviews: MeasuredGames) -> EvaluatorQuality:
    """By fifths of what has been played, as it can be seen at the time.

    Fifths of each game's own length would not do: in games of different lengths the player who
    leads in what turns out to be the last fifth is about to win, which cannot be known.
    """
    there = reviews.shares[:, :, 0] >= 0
    fifth = _fifths(there)
    outcomes = np.broadcast_to(reviews.wins[:, None, :], reviews.shares.shape)
    to_come = np.cumsum(reviews.luck[:, ::-1], axis=1)[:, ::-1]
    games = np.broadcast_to(np.arange(len(there))[:, None, None], reviews.shares.shape)

    def part(chosen: np.ndarray) -> QualityFigures:
        shares, points, came = (
            reviews.shares[chosen],
            reviews.baseline_points[chosen],
            outcomes[chosen],
        )
        fair = came - to_come[chosen]
        off = Calibration(shares.ravel(), games[chosen].ravel())
        by_points = PointsBaseline(points, games[chosen][:, 0] % 2 == 0)
        return QualityFigures(
            calibration=off.error(came.ravel()),
            without_luck=off.error(fair.ravel()),
            by_chance=off.by_chance(fair.ravel()),
            loss=LogLoss(_loss(shares, came), _loss(shares, fair)),
            by_points=LogLoss(by_points.loss(came), by_points.loss(fair)),
            uniform=float(np.log(shares.shape[1])),
        )

    without_luck = reviews.wins - reviews.luck.sum(axis=1)
    return EvaluatorQuality(
        games=len(reviews.wins),
        parts=tuple(part(there & (fifth == number)) for number in range(FIFTHS)),
        whole=part(there),
        variance_left=float(without_luck.var(axis=0).sum() / reviews.wins.var(axis=0).sum()),
    )


def _fifths(there: np.ndarray) -> np.ndarray:
    """About as many moments in each fifth, those of all games with the same number in one."""
    before = np.cumsum(there.sum(axis=0)) - there.sum(axis=0)
    fifth = np.minimum(FIFTHS * before // max(int(there.sum()), 1), FIFTHS - 1)
    return np.broadcast_to(fifth, there.shape)


class Calibration:
    """Shares by tenths, and the games that they were said in."""

    def __init__(self, shares: np.ndarray, games: np.ndarray) -> None:
        self.shares, self.games = shares, games
        self.tenth = np.minimum((shares * BINS).astype(int), BINS - 1)

    def error(self, came: np.ndarray) -> float:
        off = np.bincount(self.tenth, self.shares - came, BINS)
        return float(np.abs(off).sum() / len(came))

    def by_chance(self, came: np.ndarray) -> float:
        """The moments of one game have one outcome: only games are independent."""
        place = self.games * BINS + self.tenth
        off = np.bincount(place, self.shares - came, (self.games.max() + 1) * BINS)
        by_game = off.reshape(-1, BINS)
        spread = np.sqrt(((by_game - by_game.mean(axis=0)) ** 2).sum(axis=0))
        return float(np.sqrt(2 / np.pi) * spread.sum() / len(came))


class PointsBaseline:
    """Whoever only counts points. What these are worth in one half of the games is taken from the
    other: found and measured on the same games, it would know by how much chance has favoured it,
    which is more than anybody can see in the beginning of a game."""

    def __init__(self, points: np.ndarray, is_first_half: np.ndarray) -> None:
        self.halves = (is_first_half, ~is_first_half)
        self.tempered = [_softmax(points / temperature) for temperature in TEMPERATURES]

    def loss(self, came: np.ndarray) -> float:
        one, other = self.halves
        return (self._sum(came, one, other) + self._sum(came, other, one)) / len(came)

    def _sum(self, came: np.ndarray, measured: np.ndarray, learned: np.ndarray) -> float:
        best = min(self.tempered, key=lambda said: _loss(said[learned], came[learned]))
        return _loss(best[measured], came[measured]) * int(measured.sum())


def _loss(shares: np.ndarray, outcomes: np.ndarray) -> float:
    return float(-(outcomes * np.log(np.maximum(shares, LEAST))).sum(axis=1).mean())


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return shares
