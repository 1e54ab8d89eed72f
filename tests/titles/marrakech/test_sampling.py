"""Continuations by hasty players, where the network judges what they come to."""

from __future__ import annotations

import numpy as np
import pytest

from games.titles.marrakech.bots import grand_vizier, judge, prospects, sampling
from games.titles.marrakech.bots import kernel as k
from games.titles.marrakech.bots.reading import position
from games.titles.marrakech.bots.tables import MOST_SPOTS
from games.titles.marrakech.rules import MARRAKECH
from tests.engine.random_games import Setting, random_game

pytestmark = pytest.mark.usefixtures("compiled")

FEW = sampling.Sampling(most=3, margin=1.0, playouts=108, rolls=4, weight=0.5)


def weighed(seats: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A position where a rug is to be laid, and what the network alone says of the spots."""
    game = random_game(Setting(MARRAKECH, seats, {}), seed=5)
    step = next(each for each in list(game)[30:] if each.action.startswith("lay"))
    s = position(MARRAKECH.observe(step.before, step.seat))
    actions, shares = np.zeros(MOST_SPOTS, np.int64), np.zeros((MOST_SPOTS, seats))
    count = grand_vizier.weigh(
        tuple(prospects.network(seats)),
        s,
        prospects.QUICK,
        judge.desk(seats),
        grand_vizier.study(seats),
        actions,
        shares,
    )
    return s, actions[:count], shares[:count]


@pytest.mark.parametrize("seats", [3, 4])
def test_what_is_tried_is_corrected_and_nothing_else(seats: int) -> None:
    s, actions, before = weighed(seats)
    position_before, after = s.copy(), before.copy()
    weights, desk = tuple(prospects.network(seats)), judge.desk(seats)
    assert sampling.sample(weights, s, len(actions), FEW, desk, actions, after) == 3
    assert (s == position_before).all()
    assert (after[3:] == before[3:]).all()
    assert (after[:3] != before[:3]).any()
    # Shares are still shares, and the three together stand where they stood.
    assert after.sum(axis=1) == pytest.approx(np.ones(len(actions)))
    assert after[:3].mean(axis=0) == pytest.approx(before[:3].mean(axis=0))
    again = before.copy()
    sampling.sample(weights, s, len(actions), FEW, desk, actions, again)
    assert (again == after).all()


def test_one_that_is_far_ahead_needs_no_continuations() -> None:
    s, actions, shares = weighed(4)
    shares[0, s[k.MOVER]] += 0.5
    before = shares.copy()
    narrow = FEW._replace(margin=0.06)
    weights, desk = tuple(prospects.network(4)), judge.desk(4)
    assert sampling.sample(weights, s, len(actions), narrow, desk, actions, shares) == 1
    assert (shares == before).all()


def test_they_say_which_of_two_is_worth_more() -> None:
    """With all the weight it is their difference that counts, whatever was thought before."""
    s, actions, shares = weighed(4)
    me = s[k.MOVER]
    shares[1] = shares[0]
    weights, desk = tuple(prospects.network(4)), judge.desk(4)
    sure = sampling.Sampling(most=2, margin=1.0, playouts=7200, rolls=4, weight=1.0)
    far = np.array([actions[0], actions[-1]])
    sampling.sample(weights, s, 2, sure, desk, far, shares)
    assert shares[0, me] > shares[1, me]
