"""How others are taken to choose, and how that is learned from what Viziers do."""

from __future__ import annotations

import io

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from games.titles.marrakech.bots import grand_vizier, habits, judge, prospects
from games.titles.marrakech.bots import kernel as k
from games.titles.marrakech.bots.reading import position
from games.titles.marrakech.bots.tables import MOST_SPOTS
from games.titles.marrakech.rules import MARRAKECH
from tests.engine.random_games import SETTINGS, Setting, name, random_game
from tools.bots.marrakech import opponent_model_fit as watching

pytestmark = pytest.mark.usefixtures("compiled")

OURS = [setting for setting in SETTINGS if setting.rules is MARRAKECH]
BY_THE_NETWORK = habits.Habits(1e7, 0.0, 1e7, 0.0, 1e7)


def before_rolls(setting: Setting, *, every: int = 6) -> list[np.ndarray]:
    steps = random_game(setting, seed=5, leave=0.01)
    rolls = [step for step in steps if step.before.phase in ("turn", "roll")]
    return [position(MARRAKECH.observe(step.before, None)) for step in rolls[::every]]


def ahead(
    s: np.ndarray, depth: int, how: habits.Habits | None, me: int | None = None
) -> np.ndarray:
    seats = int(s[k.SEATS])
    shares = np.zeros(seats)
    weights, desk, study = (
        tuple(prospects.network(seats)),
        judge.desk(seats),
        grand_vizier.study(seats),
    )
    who = int(s[k.MOVER]) if me is None else me
    grand_vizier.ahead(weights, s, depth, who, how, desk, study, shares)
    return shares


def test_what_is_liked_more_is_likelier() -> None:
    shares, mean = np.array([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]), np.zeros(2)
    assert habits.blended(shares, np.array([0.0, np.log(3), -99.0]), 2, mean) == 1
    assert mean == pytest.approx([0.5, 0.5])
    assert habits.blended(shares, np.array([0.0, 0.0, 500.0]), 3, mean) == 2
    assert mean == pytest.approx([0.9, 0.1])


@pytest.mark.parametrize("setting", OURS, ids=name)
def test_who_is_sure_of_the_network_does_what_is_best(setting: Setting) -> None:
    for s in before_rolls(setting):
        before = s.copy()
        best = ahead(s, 1, None)
        assert ahead(s, 1, BY_THE_NETWORK) == pytest.approx(best, abs=1e-6)
        assert ahead(s, 1, BY_THE_NETWORK, me=-1) == pytest.approx(best, abs=1e-6)
        assert (s == before).all()


@pytest.mark.parametrize("setting", OURS, ids=name)
def test_however_far_one_looks_there_is_one_win(setting: Setting) -> None:
    for s in before_rolls(setting, every=9):
        for depth in (1, 2, 3):
            shares = ahead(s, depth, prospects.HABITS[int(s[k.SEATS])])
            assert shares.sum() == pytest.approx(1, abs=1e-6)
            assert shares.min() > -0.2
            assert shares[s[k.GONE : k.GONE + len(shares)] > 0] == pytest.approx(0)


def test_only_what_is_near_the_best_is_looked_at_further() -> None:
    shares = np.array([[0.50, 0.5], [0.49, 0.51], [0.47, 0.53], [0.1, 0.9]])
    assert grand_vizier.near(shares, 0, 4) == 2
    assert grand_vizier.near(shares, 0, 1) == 1


@pytest.mark.parametrize(("is_valued", "depth"), [(False, 1), (True, 2)])
def test_a_choice_without_rivals_is_looked_at_further_only_for_its_worth(
    is_valued: bool, depth: int
) -> None:
    steps = random_game(Setting(MARRAKECH, 3, MARRAKECH.options({})), seed=5)
    s = position(MARRAKECH.observe([x for x in steps if x.before.phase == "lay"][9].before, None))
    how, actions, shares = (
        prospects.HABITS[3],
        np.zeros(MOST_SPOTS, np.int64),
        np.zeros((MOST_SPOTS, 3)),
    )
    room = (judge.desk(3), grand_vizier.study(3))
    weights = tuple(prospects.network(3))
    grand_vizier.weigh_lays(weights, s, 2, 1, is_valued, how, *room, actions, shares)
    after = s.copy()
    k.lay(after, actions[0])
    assert shares[0] == pytest.approx(ahead(after, depth, how, me=int(s[k.MOVER])), abs=1e-12)
    assert shares[0] != pytest.approx(ahead(after, 3 - depth, how, me=int(s[k.MOVER])), abs=1e-6)


def test_others_mind_points_and_oneself_does_not() -> None:
    """Who only minds points pays less at once, and therefore wins less, as the network sees it."""
    misers = habits.Habits(0.0, 1e5, 0.0, 1e5, 1e7)
    positions = before_rolls(Setting(MARRAKECH, 3, MARRAKECH.options({})), every=4)
    lost = [
        ahead(s, 1, None)[s[k.MOVER]] - ahead(s, 1, misers, me=-1)[s[k.MOVER]] for s in positions
    ]
    assert min(lost) > -1e-6
    assert max(lost) > 0.01
    own = [ahead(s, 1, misers) for s in positions]
    assert np.array(own) == pytest.approx(
        np.array([ahead(s, 1, None) for s in positions]), abs=1e-6
    )


def test_habits_are_found_again() -> None:
    rng = np.random.default_rng(1)
    rows, weights = 4000, np.array([30.0, 1.5])
    reasons = rng.normal(size=(rows, 5, 2)) * (0.03, 1.0)
    counts = rng.integers(2, 6, rows)
    liking = reasons @ weights + rng.gumbel(size=(rows, 5))
    liking[np.arange(5) >= counts[:, None]] = -np.inf
    decisions = watching.Decisions(reasons, counts, liking.argmax(axis=1))
    (win, point), chance = watching.maximum_likelihood(decisions)
    assert win == pytest.approx(30, rel=0.1)
    assert point == pytest.approx(1.5, rel=0.1)
    assert 0.4 < chance < 1


def test_what_is_lost_is_the_way_to_the_best() -> None:
    shares = np.array([[0.5, 0.4, 0.9], [0.2, 0.3, 0.25]])
    reasons = np.stack([shares, np.zeros_like(shares)], axis=2)
    decisions = watching.Decisions(reasons, np.array([2, 3]), np.array([1, 1]))
    assert watching.mean_loss(decisions) == pytest.approx(0.05)


def test_the_command_watches_viziers() -> None:
    out = io.StringIO()
    call_command(
        "fit_opponent_model",
        "marrakech",
        "--players",
        "4",
        "--games",
        "1",
        "--seed",
        "3",
        stdout=out,
    )
    assert "rug_win" in out.getvalue()
    assert "chance of what was done" in out.getvalue()
    with pytest.raises(CommandError, match="not for 7"):
        call_command("fit_opponent_model", "marrakech", "--players", "7")
    with pytest.raises(CommandError, match="--games"):
        call_command("fit_opponent_model", "marrakech", "--games", "0")
