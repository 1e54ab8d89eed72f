"""The judge of Ifrito: shares of one win, whoever is to decide, learned from games by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from games.engine.interface import Over
from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots import practice, prospects, review, rounds
from games.titles.ifrito.bots.features import FEATURES, IMPRISONED
from games.titles.ifrito.bots.reading import notation, position
from games.titles.ifrito.bots.search import MERCHANT
from games.titles.ifrito.rules import IFRITO
from tests.engine.random_games import Setting, random_game
from tests.titles.ifrito.positions import ABOUT_TO_WIN
from tests.titles.shares import check_shares

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_shares_are_shares_whatever_is_to_be_decided(seats: int) -> None:
    for step in list(random_game(Setting(IFRITO, seats, {}), seed=5, leave=0.01))[::5]:
        seen = IFRITO.observe(step.before, None)
        check_shares(prospects.shares(seen), seen)


def test_every_action_is_judged_and_the_best_comes_first() -> None:
    for step in list(random_game(Setting(IFRITO, 3, {}), seed=4))[10:50:5]:
        seen = IFRITO.observe(step.before, None)
        found = prospects.actions(seen)
        assert sorted(action for action, _ in found) == seen["legal"]
        own = [shares[step.seat] for _, shares in found]
        assert own == sorted(own, reverse=True)


def test_thoroughly_the_grand_vizier_says_what_comes_first() -> None:
    seen = IFRITO.observe(ABOUT_TO_WIN, 0)
    found = prospects.actions(seen, thorough=True)
    assert found[0].action == "capture:Ua1-Ua2"
    assert {action for action, _ in found} <= set(seen["legal"])


def test_a_capture_that_wins_is_a_win() -> None:
    first, *others = prospects.actions(IFRITO.observe(ABOUT_TO_WIN, 0))
    assert first == ("capture:Ua1-Ua2", (1.0, 0.0))
    assert all(shares[0] < 1 for _, shares in others)


def test_continuations_are_the_same_for_the_same_numbers() -> None:
    step = list(random_game(Setting(IFRITO, 2, {}), seed=11))[30]
    seen = IFRITO.observe(step.before, step.seat)
    all_of_them = prospects.trials(seen, step.action, 7, 0, 12)
    assert prospects.trials(seen, step.action, 7, 4, 8) == all_of_them[4:]
    assert len(set(all_of_them)) > 1
    assert all(abs(sum(each) - 1_000_000) <= 1 for each in all_of_them)


def test_continuations_to_the_end_say_who_won() -> None:
    step = list(random_game(Setting(IFRITO, 2, {}), seed=6))[12]
    seen = IFRITO.observe(step.before, step.seat)
    for outcome in prospects.trials(seen, step.action, 7, 0, 4, to_the_end=True):
        assert sorted(outcome) in ([0, 1_000_000], [500_000, 500_000])


class Engine:
    """Plays along by the rules of the house."""

    def __init__(self, seats: int, choose: rounds.Choose) -> None:
        self.state = IFRITO.start(seats, {}, ())
        self.choose = choose

    def __call__(self, s: np.ndarray) -> int:
        assert s.tolist() == position(IFRITO.observe(self.state, None)).tolist()
        action = self.choose(s)
        self.state, _ = IFRITO.decide(self.state, int(k.decider(s)), notation(s, action))
        return action


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_go_and_end_as_in_the_engine(seats: int) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        engine = Engine(seats, rounds.astray(rng) if seed % 2 else rounds.searching(MERCHANT, rng))
        course = rounds.played(seats, engine)
        end = IFRITO.pending(engine.state)
        assert isinstance(end, Over)
        assert sorted(np.flatnonzero(course.wins)) == sorted(end.ranking[0])
        assert course.wins.sum() == pytest.approx(1)


def test_where_nobody_has_won_the_counts_decide() -> None:
    s = position(IFRITO.observe(ABOUT_TO_WIN, 0))
    shares = np.zeros(2)
    s[k.ENDED] = 1
    s[k.CAPTURED] = 0
    k.share_wins(s, shares)
    assert shares.tolist() == [1, 0], "more genies on own carpets"
    s[k.PRISON + 1] = 1
    k.share_wins(s, shares)
    assert shares.tolist() == [0, 1], "prisoners come first"


def test_the_same_training_makes_the_same_weights() -> None:
    plan = practice.Plan(elder_games=12, own_games=3)
    reports: list[str] = []
    one, other = (practice.train(2, 3, plan, reports.append).odds for _ in range(2))
    assert (one == other).all()
    half = len(reports) // 2
    assert reports[:half] == reports[half:]
    assert (practice.train(2, 4, plan, reports.append).odds != one).any()


def test_what_is_fitted_is_what_decides() -> None:
    """Positions in which nothing but the prisoners of a seat say who wins."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 9, (20_000, 2, FEATURES))
    odds = x[:, :, IMPRISONED] * 0.4
    first = rng.random(20_000) < 1 / (1 + np.exp(odds[:, 1] - odds[:, 0]))
    lessons = practice.Lessons(x, np.stack([first, ~first], axis=1).astype(float))
    found = practice.fitted(lessons, lambda line: None).odds
    assert found[:, IMPRISONED] == pytest.approx(0.4, abs=0.06)
    others = np.delete(found, IMPRISONED, axis=1)
    assert others == pytest.approx(0, abs=0.06)


def test_reviews_are_of_whole_games() -> None:
    found = review.reviews(3, {}, 3, 5, by_vizier=False)
    there = found.shares[:, :, 0] >= 0
    assert there.sum(axis=1).min() > 10
    assert found.shares[there].sum(axis=1) == pytest.approx(1, abs=1e-9)
    assert found.wins.sum(axis=1) == pytest.approx(1)
    assert not found.luck.any()
