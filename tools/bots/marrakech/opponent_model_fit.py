"""What Viziers do, watched, and the habits that make it likeliest.

Of every decision is noted what the network sees in each action for who decides, what it is worth
in points at once, and which one was chosen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from games.titles.compiling import compiled
from games.titles.marrakech.bots.features import DISTINCT
from games.titles.marrakech.bots.habits import WAYS, Habits
from games.titles.marrakech.bots.judge import after_lay, desk, rolled
from games.titles.marrakech.bots.judgement import POINT, fare, outlook
from games.titles.marrakech.bots.kernel import (
    ASSAM,
    LAY,
    LENGTH,
    MOVER,
    OVER,
    PHASE,
    asking,
    below,
    lay,
    mixed,
    spots,
    turned,
    walk,
)
from games.titles.marrakech.bots.levels import PLAYOUTS, ROLLS
from games.titles.marrakech.bots.prospects import HABITS, grand_viziers
from games.titles.marrakech.bots.search import weigh
from games.titles.marrakech.bots.tables import MAX_ROLLS, MOST_SPOTS, SIDES
from tools.bots.marrakech.random_games import start_game

STEPS = 30
SHARE, POINTS, REASONS = 0, 1, 2
NEVER = -1e9


class Decisions(NamedTuple):
    """By decision and action the reasons for it; how many actions there were, and the choice."""

    reasons: np.ndarray
    counts: np.ndarray
    chosen: np.ndarray


class FittedModel(NamedTuple):
    """Habits, how likely on average they make what was done, and what the network takes each rug
    and each turn to have cost, in wins: more than it did, for where the network errs it finds
    something better."""

    habits: Habits
    chance: float
    rug_loss: float
    turn_loss: float

    def __str__(self) -> str:
        habits = ", ".join(f"{name} {value:.2f}" for name, value in self.habits._asdict().items())
        return (
            f"{habits}; chance of what was done {self.chance:.1%}; lost at most "
            f"{100 * self.rug_loss:.2f} points at a rug, {100 * self.turn_loss:.2f} at a turn"
        )


def fit_opponent_model(seats: int, games: int, seed: int) -> FittedModel:
    """From so many games of Viziers."""
    rugs, turns = _unseen(games, MOST_SPOTS), _unseen(games, WAYS)
    count = observe_viziers(
        tuple(grand_viziers(seats)), seats, games, seed << 24, desk(seats), rugs, turns
    )
    rugs, turns = (Decisions(*(part[:count] for part in kind)) for kind in (rugs, turns))
    (rug_win, rug_point), rug_chance = maximum_likelihood(rugs)
    (turn_win, turn_point), turn_chance = maximum_likelihood(turns)
    return FittedModel(
        Habits(rug_win, rug_point, turn_win, turn_point, HABITS[seats].own_win),
        (rug_chance * turn_chance) ** 0.5,
        mean_loss(rugs),
        mean_loss(turns),
    )


def _unseen(games: int, actions: int) -> Decisions:
    rows = games * MAX_ROLLS
    return Decisions(
        np.zeros((rows, actions, REASONS)), np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    )


def mean_loss(decisions: Decisions) -> float:
    """What choices fall short of the best on average, as the network sees it."""
    reasons, counts, chosen = decisions
    shares = np.where(np.arange(reasons.shape[1]) < counts[:, None], reasons[:, :, SHARE], NEVER)
    return float((shares.max(axis=1) - shares[np.arange(len(chosen)), chosen]).mean())


def maximum_likelihood(decisions: Decisions) -> tuple[tuple[float, float], float]:
    """The weights of the reasons that make the choices likeliest, by Newton's method, and the
    geometric mean of the chances that the choices then had."""
    reasons, counts, chosen = decisions
    rows = np.arange(len(chosen))
    is_there = np.arange(reasons.shape[1]) < counts[:, None]
    weights = np.zeros(REASONS)
    for _ in range(STEPS):
        chances = _chances(reasons, is_there, weights)
        expected = (chances[:, :, None] * reasons).sum(axis=1)
        slope = (reasons[rows, chosen] - expected).sum(axis=0)
        spread = reasons - expected[:, None]
        bend = np.einsum("ra,rai,raj->ij", chances, spread, spread)
        weights += np.linalg.solve(bend, slope)
    chances = _chances(reasons, is_there, weights)
    share, points = weights.tolist()
    return (share, points), float(np.exp(np.log(chances[rows, chosen]).mean()))


def _chances(reasons: np.ndarray, is_there: np.ndarray, weights: np.ndarray) -> np.ndarray:
    liking = np.where(is_there, reasons @ weights, NEVER)
    powers = np.exp(liking - liking.max(axis=1, keepdims=True))
    chances: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return chances


@compiled
def observe_viziers(network, seats, games, seed, desk, rugs, turns):
    """Note the decisions of so many games by the usual rules; answer how many turns there were."""
    s, row = np.zeros(LENGTH, np.int64), np.zeros(LENGTH, np.int64)
    actions, options = np.zeros(MOST_SPOTS, np.int64), np.zeros(MOST_SPOTS, np.int64)
    scores, margins = np.zeros(MOST_SPOTS), np.zeros(MOST_SPOTS)
    faces, mean = np.zeros((DISTINCT, seats)), np.zeros(seats)
    rug = turn = 0
    for game in range(games):
        random = start_game(s, seats, True, False, False, mixed(seed + game))
        while s[PHASE] != OVER:
            random = mixed(random)
            weigh(s, random, PLAYOUTS, ROLLS, actions, scores, margins)
            action, mover = actions[0], s[MOVER]
            if s[PHASE] == LAY:
                reasons, counts, chosen = rugs
                counts[rug] = spots(s, options)
                for index in range(counts[rug]):
                    row[:] = s
                    lay(row, options[index])
                    after_lay(network, s, options[index], desk, mean)
                    reasons[rug, index, SHARE] = mean[mover]
                    reasons[rug, index, POINTS] = outlook(row, mover) / POINT
                    if options[index] == action:
                        chosen[rug] = index
                rug += 1
                lay(s, action)
            else:
                reasons, counts, chosen = turns
                counts[turn], chosen[turn] = WAYS, action + 1
                for way in range(WAYS):
                    pose = turned(s[ASSAM], way - 1)
                    rolled(network, s, way - 1, desk, faces, mean)
                    reasons[turn, way, SHARE] = mean[mover]
                    reasons[turn, way, POINTS] = -fare(s, pose, asking(s, mover)) / SIDES
                turn += 1
                random = mixed(random)
                walk(s, action, below(random, SIDES))
    return min(rug, turn)
