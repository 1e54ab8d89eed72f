"""Measuring a judge: one who is right, one who boasts, one who knows nothing."""

from __future__ import annotations

import numpy as np
import pytest

from tools.bots.evaluator_quality import measure_quality
from tools.bots.measured_games import MeasuredGames

GAMES, MOMENTS = 4000, 10


def drawn() -> MeasuredGames:
    """Games of two, won as the true shares say; all luck is that of the last moment."""
    rng = np.random.default_rng(1)
    truth = rng.uniform(0.05, 0.95, GAMES)
    wins = np.stack([rng.random(GAMES) < truth, np.zeros(GAMES)], axis=1).astype(float)
    wins[:, 1] = 1 - wins[:, 0]
    shares = np.repeat(np.stack([truth, 1 - truth], axis=1)[:, None, :], MOMENTS, axis=1)
    luck = np.zeros_like(shares)
    luck[:, -1] = wins - np.stack([truth, 1 - truth], axis=1)
    shares[: GAMES // 2, MOMENTS // 2 :] = -1
    return MeasuredGames(shares, np.zeros_like(shares), luck, wins)


def test_who_is_right_is_calibrated_in_every_fifth() -> None:
    found = measure_quality(drawn())
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
    found = measure_quality(reviews._replace(shares=np.where(reviews.shares < 0, -1, bold)))
    assert found.whole.calibration > 0.1
    assert found.whole.without_luck > 0.1 > 5 * found.whole.by_chance
    assert found.whole.loss.as_it_came > measure_quality(reviews).whole.loss.as_it_came


def test_points_that_say_nothing_are_worth_nothing() -> None:
    """On the games they are fitted to they would always seem to say a little."""
    rng = np.random.default_rng(4)
    wins = np.eye(2)[rng.integers(2, size=100)]
    shares = np.full((100, MOMENTS, 2), 0.5)
    points = np.repeat(rng.normal(0, 5, (100, 1, 2)), MOMENTS, axis=1)
    whole = measure_quality(MeasuredGames(shares, points, np.zeros_like(shares), wins)).whole
    assert whole.by_points.as_it_came >= whole.uniform
    assert whole.loss.as_it_came == pytest.approx(whole.uniform)


def wandering() -> MeasuredGames:
    """Games that go up and down by one until somebody has all, and a judge who is always right."""
    rng = np.random.default_rng(2)
    games, longest, goal = 4000, 300, 8
    shares = np.full((games, longest, 2), -1.0)
    wins = np.zeros((games, 2))
    for game in range(games):
        has, moment = int(rng.integers(2, goal - 1)), 0
        while 0 < has < goal:
            shares[game, moment] = has / goal, 1 - has / goal
            has, moment = has + 2 * int(rng.integers(2)) - 1, moment + 1
        wins[game] = has == goal, has == 0
    return MeasuredGames(shares, np.zeros_like(shares), np.zeros_like(shares), wins)


def test_the_length_of_a_game_does_not_count_against_the_judge() -> None:
    found = measure_quality(wandering())
    assert found.whole.calibration < 0.01
    assert max(part.calibration for part in found.parts) < 0.03


def test_luck_explains_what_it_explains() -> None:
    reviews = drawn()
    truth = 0.9**2 / 12
    assert measure_quality(reviews).variance_left == pytest.approx(truth / 0.25, abs=0.03)
    without = measure_quality(reviews._replace(luck=np.zeros_like(reviews.luck)))
    assert without.variance_left == pytest.approx(1)
