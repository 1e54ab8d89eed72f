"""Measuring a judge: one who is right, one who boasts, one who knows nothing."""

from __future__ import annotations

import numpy as np
import pytest

from games.management.assessment import assessed
from games.titles.judging import Reviews

GAMES, MOMENTS = 4000, 10


def drawn() -> Reviews:
    """Games of two, won as the true shares say; all luck is that of the last moment."""
    rng = np.random.default_rng(1)
    truth = rng.uniform(0.05, 0.95, GAMES)
    wins = np.stack([rng.random(GAMES) < truth, np.zeros(GAMES)], axis=1).astype(float)
    wins[:, 1] = 1 - wins[:, 0]
    shares = np.repeat(np.stack([truth, 1 - truth], axis=1)[:, None, :], MOMENTS, axis=1)
    luck = np.zeros_like(shares)
    luck[:, -1] = wins - np.stack([truth, 1 - truth], axis=1)
    shares[: GAMES // 2, MOMENTS // 2 :] = -1
    return Reviews(shares, np.zeros_like(shares), luck, wins)


def test_who_is_right_is_calibrated_in_every_fifth() -> None:
    found = assessed(drawn())
    assert found.games == GAMES
    assert found.whole.calibration < 0.02
    for part in found.parts:
        assert part.calibration < 0.03
        # All luck falls at the end, and without it nothing is left to be wrong by.
        assert part.without_luck < 1e-9
        assert part.by_chance < 1e-9
        assert part.loss.as_it_came < part.by_points.as_it_came
        assert part.loss.without_luck == pytest.approx(part.loss.as_it_came, abs=0.02)
        assert part.by_points.as_it_came == pytest.approx(part.uniform, abs=1e-9)


def test_who_boasts_is_not() -> None:
    reviews = drawn()
    bold = np.where(reviews.shares > 0.5, 0.99, 0.01)
    found = assessed(reviews._replace(shares=np.where(reviews.shares < 0, -1, bold)))
    assert found.whole.calibration > 0.1
    assert found.whole.without_luck > 0.1 > 5 * found.whole.by_chance
    assert found.whole.loss.as_it_came > assessed(reviews).whole.loss.as_it_came


def test_luck_explains_what_it_explains() -> None:
    reviews = drawn()
    truth = 0.9**2 / 12
    assert assessed(reviews).variance_left == pytest.approx(truth / 0.25, abs=0.03)
    without = assessed(reviews._replace(luck=np.zeros_like(reviews.luck)))
    assert without.variance_left == pytest.approx(1)
