"""How a network learns: Adam on the cross entropy of its shares, in plain NumPy.

Everything is drawn from one seed and done on one thread, so that the same games make the same
weights on the same machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from games.titles.network import Network, fresh

BATCH = 512
FIRST_MOMENT, SECOND_MOMENT, EPSILON = 0.9, 0.999, 1e-8
# How much of the averaged weights is kept at each step: they play and judge better.
AVERAGE_DECAY = 0.999
DECAY = 1e-4


class TrainingSamples(NamedTuple):
    """Positions: their features, who is still in, and the shares to learn."""

    features: np.ndarray
    inside: np.ndarray
    targets: np.ndarray


def concatenate_samples(*lessons: TrainingSamples) -> TrainingSamples:
    return TrainingSamples(*(np.concatenate(part) for part in zip(*lessons, strict=True)))


Play = Callable[[Network, int, int], TrainingSamples]
"""So many games from a seed on, by players of this network."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How many games of what kind, and how often their lessons are studied."""

    bootstrap_games: int
    """Of players who know a little, to begin with."""
    self_play_games: int
    """Of the network against itself."""
    bootstrap_chunk: int = 20_000
    self_play_chunk: int = 2_000
    replay_chunks: int = 6
    """Chunks of own games that are studied again and again."""
    passes_per_chunk: int = 24
    final_passes: int = 0
    """How often all that is replay_chunks is gone through once more in the end."""
    first_rate: float = 1e-3
    last_rate: float = 3e-5


def train_network(
    *,
    features: int,
    seats: int,
    seed: int,
    plan: TrainingPlan,
    bootstrap: Play,
    own: Play,
    report: Callable[[str], None],
) -> Network:
    """A network that has gone through all of the plan."""
    learner = Trainer(fresh(features, seats, seed), seed)
    for number in range(plan.bootstrap_games // plan.bootstrap_chunk):
        lessons = bootstrap(learner.network, plan.bootstrap_chunk, _seed(seed, 0, number))
        loss = learner.study(lessons, len(lessons.targets) // BATCH, plan.first_rate)
        report(f"bootstrap games to {plan.bootstrap_chunk * (number + 1):,}: loss {loss:.5f}")
    memory: list[TrainingSamples] = []
    chunks = plan.self_play_games // plan.self_play_chunk
    for number in range(chunks):
        lessons = own(learner.network, plan.self_play_chunk, _seed(seed, 1, number))
        memory = [*memory, lessons][-plan.replay_chunks :]
        slower = (plan.last_rate - plan.first_rate) / chunks
        rate = plan.first_rate + number * slower
        batches = plan.passes_per_chunk * len(lessons.targets) // BATCH
        loss = learner.study(concatenate_samples(*memory), batches, rate, slower)
        report(f"self-play games to {plan.self_play_chunk * (number + 1):,}: loss {loss:.5f}")
    if plan.final_passes and memory:
        lessons = concatenate_samples(*memory)
        batches = plan.final_passes * len(lessons.targets) // BATCH
        slower = plan.last_rate - plan.first_rate
        loss = learner.study(lessons, batches, plan.first_rate, slower)
        report(f"all of these once more: loss {loss:.5f}")
    return learner.network


def _seed(seed: int, generation: int, chunk: int) -> int:
    """Far from all others: games are numbered from here on."""
    return ((seed * 2 + generation) * 100_000 + chunk) << 24


class Trainer:
    def __init__(self, network: Network, seed: int) -> None:
        self.weights = [layer.copy() for layer in network]
        self.average = [layer.copy() for layer in network]
        self.first = [np.zeros_like(layer) for layer in network]
        self.second = [np.zeros_like(layer) for layer in network]
        self.steps = 0
        self.rng = np.random.default_rng(seed)

    @property
    def network(self) -> Network:
        """The average of the latest weights."""
        return Network(*(np.ascontiguousarray(layer) for layer in self.average))

    def study(
        self, lessons: TrainingSamples, batches: int, rate: float, slower: float = 0.0
    ) -> float:
        """Learn from so many handfuls of lessons, and at least from one, at a rate that changes by
        so much in the course of them; answers the mean loss."""
        total, batches = 0.0, max(batches, 1)
        for number in range(batches):
            rows = self.rng.integers(0, len(lessons.features), BATCH)
            loss, slopes = gradient(self.weights, *(part[rows] for part in lessons))
            self._step(slopes, rate + slower * number / batches)
            total += loss
        return total / batches

    def _step(self, slopes: list[np.ndarray], rate: float) -> None:
        self.steps += 1
        size = rate * np.sqrt(1 - SECOND_MOMENT**self.steps) / (1 - FIRST_MOMENT**self.steps)
        kept = min(AVERAGE_DECAY, self.steps / (self.steps + 10))
        for index, slope in enumerate(slopes):
            first, second = self.first[index], self.second[index]
            first += (1 - FIRST_MOMENT) * (slope - first)
            second += (1 - SECOND_MOMENT) * (slope * slope - second)
            weight = self.weights[index]
            weight -= np.float32(size) * first / (np.sqrt(second) + np.float32(EPSILON))
            if weight.ndim == 2:
                weight *= np.float32(1 - rate * DECAY)
            self.average[index] += np.float32(1 - kept) * (weight - self.average[index])


def gradient(
    weights: list[np.ndarray], x: np.ndarray, inside: np.ndarray, targets: np.ndarray
) -> tuple[float, list[np.ndarray]]:
    """The mean loss of these lessons, and its slope in each weight."""
    w1, b1, w2, b2, w3, b3 = weights
    h1 = np.maximum(x @ w1 + b1, 0)
    h2 = np.maximum(h1 @ w2 + b2, 0)
    logits = np.where(inside, h2 @ w3 + b3, np.float32(-1e9))
    logits -= logits.max(axis=1, keepdims=True)
    powers = np.exp(logits)
    shares = powers / powers.sum(axis=1, keepdims=True)
    loss = -float((targets * np.log(np.maximum(shares, 1e-9))).sum(axis=1).mean())
    d3 = (shares - targets) / np.float32(len(x))
    d3 *= inside
    d2 = (d3 @ w3.T) * (h2 > 0)
    d1 = (d2 @ w2.T) * (h1 > 0)
    return loss, [x.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ d3, d3.sum(0)]
