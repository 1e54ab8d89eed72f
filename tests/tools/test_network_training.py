"""The network and how it learns, without any game."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from games.titles import network as n
from tools.bots.network_training import BATCH, Trainer, TrainingSamples, gradient

FEATURES, SEATS = 12, 3


def some(rows: int, seed: int = 1) -> TrainingSamples:
    """Lessons in which the first features say who wins."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, FEATURES)).astype(np.float32)
    inside = np.ones((rows, SEATS), np.bool_)
    targets = np.eye(SEATS, dtype=np.float32)[x[:, :SEATS].argmax(axis=1)]
    return TrainingSamples(x, inside, targets)


def test_the_exponential_is_one() -> None:
    for x in np.linspace(-80, 0, 999):
        assert n.exponential(x) == pytest.approx(math.exp(x), rel=1e-12)


def test_the_layers_are_what_they_say() -> None:
    network = n.fresh(FEATURES, SEATS, 1)._replace(b1=np.full(n.FIRST, 0.1, np.float32))
    (x,) = some(1).features
    h1, h2 = np.zeros(n.FIRST, np.float32), np.zeros(n.SECOND, np.float32)
    logits = np.zeros(SEATS, np.float32)
    n.layers(tuple(network), x, h1, h2, logits)
    first = np.maximum(x @ network.w1 + network.b1, 0)
    second = np.maximum(first @ network.w2 + network.b2, 0)
    assert h1 == pytest.approx(first, abs=1e-5)
    assert h2 == pytest.approx(second, abs=1e-5)
    assert logits == pytest.approx(second @ network.w3 + network.b3, abs=1e-5)


def test_who_is_out_has_no_share() -> None:
    logits, shares = np.array([1.0, 9.0, 2.0], np.float32), np.zeros(3)
    n.softmax(logits, np.array([True, False, True]), shares)
    assert shares == pytest.approx([1 / (1 + math.e), 0, math.e / (1 + math.e)])


def test_slopes_are_those_of_the_loss() -> None:
    lessons = some(5)
    lessons.inside[2, 1] = False
    lessons.targets[2] = [0.4, 0, 0.6]
    weights = [layer.astype(np.float64) for layer in n.fresh(FEATURES, SEATS, 2)]
    _, slopes = gradient(weights, *lessons)
    rng = np.random.default_rng(3)
    for layer, slope in zip(weights, slopes, strict=True):
        place = tuple(rng.integers(0, size) for size in layer.shape)
        kept, step = layer[place], 1e-5
        layer[place] = kept + step
        above, _ = gradient(weights, *lessons)
        layer[place] = kept - step
        below, _ = gradient(weights, *lessons)
        layer[place] = kept
        assert slope[place] == pytest.approx((above - below) / (2 * step), abs=1e-5)


def test_it_learns_what_there_is_to_learn() -> None:
    learner, lessons = Trainer(n.fresh(FEATURES, SEATS, 1), 1), some(8 * BATCH)
    before = learner.study(lessons, 1, 1e-3)
    learner.study(lessons, 400, 3e-3)
    assert before == pytest.approx(math.log(SEATS), abs=0.05)
    fresh_loss, _ = gradient(list(learner.network), *some(1000, seed=2))
    assert fresh_loss < 0.35


def test_weights_are_kept_as_they_are(tmp_path: Path) -> None:
    network = n.fresh(FEATURES, SEATS, 5)
    n.save(network, tmp_path / "one.npz")
    n.save(network, tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    for given, kept in zip(network, n.load(tmp_path / "one.npz"), strict=True):
        assert (given == kept).all()
