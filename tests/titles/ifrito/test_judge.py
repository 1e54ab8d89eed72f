"""The judge of Ifrito: shares of one win, whoever is to decide, learned from games by the rules."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from games.engine.interface import Over
from games.titles.ifrito.bots import features as f
from games.titles.ifrito.bots import kernel as k
from games.titles.ifrito.bots import prospects
from games.titles.ifrito.bots.reading import notation, position
from games.titles.ifrito.bots.search import MERCHANT
from games.titles.ifrito.rules import IFRITO
from tests.engine.random_games import Setting, random_game
from tests.titles.ifrito.positions import ABOUT_TO_WIN
from tests.titles.shares import check_other_processor, check_shares
from tools.bots.ifrito import measured_games as review
from tools.bots.ifrito import played_games as rounds
from tools.bots.ifrito import self_play as practice
from tools.bots.network_training import TrainingPlan

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
        engine = Engine(
            seats, rounds.random_player(rng) if seed % 2 else rounds.search_player(MERCHANT, rng)
        )
        course = rounds.play_game(seats, engine)
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


def described(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The features by place from the mover, those of the table, and who is in."""
    seats = int(s[k.SEATS])
    x, inside = np.zeros(f.width(seats), np.float32), np.zeros(seats, np.bool_)
    f.describe(s, x, inside)
    return x[: -f.SHARED].reshape(seats, f.FEATURES) / f.SCALE, x[-f.SHARED :], inside


def test_the_judge_looks_at_threats_from_both_sides() -> None:
    s = position(IFRITO.observe(ABOUT_TO_WIN, 0))
    (own, theirs), table, inside = described(s)
    assert inside.all()
    assert own[f.TWO_CARPETS] == own[f.ARMED] == own[f.TAKES_THE_WIN] == 1
    assert own[f.PREYS] == theirs[f.HUNTED] == theirs[f.LOSES_THE_GAME] == 1
    assert own[f.MOST_TO_TAKE] == theirs[f.MOST_TO_LOSE] == 1
    assert own[f.HUNTED] == theirs[f.PREYS] == 0
    assert table[f.LEFT_ON_CELLS] == pytest.approx(bin(s[k.GENIES]).count("1") / k.CELLS)


def test_the_judge_sees_everybody_from_the_mover_on() -> None:
    s = np.zeros(k.LENGTH, np.int64)
    k.start(s, 3)
    s[k.TURN], s[k.LEFT + 2] = 1, 1
    s[k.PRISON : k.PRISON + 3] = 2, 5, 0
    (mover, gone, last), _, inside = described(s)
    assert inside.tolist() == [True, False, True]
    assert (mover[f.IMPRISONED], last[f.IMPRISONED]) == (5, 2)
    assert not gone.any()


def merchants(rng: np.random.Generator) -> rounds.Choose:
    return rounds.search_player(MERCHANT, rng)


def test_practice_teaches_who_won_from_where_chance_ends() -> None:
    found = practice.training_samples(3, 48, 7, merchants)
    assert found.features.shape == (len(found.targets), f.width(3))
    assert found.targets.sum(axis=1) == pytest.approx(1)
    assert found.inside.all(axis=1).any()
    assert not found.inside.all(), "somebody left"
    assert not found.targets[~found.inside].any()


def test_random_actions_at_the_beginning_are_not_looked_at() -> None:
    lengths = set()
    for seed in range(8):
        decided: list[np.ndarray] = []
        course = practice.game_with_random_opening(
            2, np.random.default_rng(seed), partial(noting, decided)
        )
        assert (course.turns[0] == decided[0]).all()
        lengths.add(int((course.turns[0][k.PLACE : k.PLACE + 6] >= 0).sum()))
    assert 0 in lengths
    assert len(lengths) > 1


def noting(decided: list[np.ndarray], rng: np.random.Generator) -> rounds.Choose:
    """Merchants who write down what they decide on."""
    player = merchants(rng)

    def choose(s: np.ndarray) -> int:
        decided.append(s.copy())
        return player(s)

    return choose


def test_who_leaves_in_practice_leaves_as_in_the_engine() -> None:
    step = list(random_game(Setting(IFRITO, 3, {}), seed=9))[24]
    s = position(IFRITO.observe(step.before, None))
    leaver = (int(s[k.TURN]) + 1) % 3
    practice.leave(s, leaver)
    after, _ = IFRITO.leave(step.before, leaver)
    assert s.tolist() == position(IFRITO.observe(after, None)).tolist()


def test_games_differ_by_what_is_played() -> None:
    network = prospects.network(2)
    courses = [
        practice.game_with_random_opening(
            2, np.random.default_rng(seed), lambda rng: practice.network_player(network, rng)
        )
        for seed in range(12)
    ]
    assert len({course.turns[5].tobytes() for course in courses}) == 12


def test_the_same_training_makes_the_same_weights() -> None:
    plan = TrainingPlan(
        bootstrap_games=40, self_play_games=8, bootstrap_chunk=20, self_play_chunk=4
    )
    reports: list[str] = []
    one, other = (practice.train(2, 3, plan, reports.append) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    half = len(reports) // 2
    assert reports[:half] == reports[half:]
    assert (practice.train(2, 4, plan, reports.append).w1 != one.w1).any()


SHARES = """
import json
from games.titles.ifrito.bots import prospects
from games.titles.ifrito.rules import IFRITO
from tests.engine.random_games import Setting, random_game
said = []
for seats in (2, 4):
    for step in list(random_game(Setting(IFRITO, seats, {}), seed=8))[::9]:
        seen = IFRITO.observe(step.before, None)
        if seen["pick"] is None:
            said.append([share.hex() for share in prospects.shares(seen)])
print(json.dumps(said))
"""


def test_another_kind_of_processor_says_the_same_to_the_byte(tmp_path: Path) -> None:
    check_other_processor(SHARES, tmp_path)


def test_reviews_are_of_whole_games() -> None:
    found = review.measure_games(3, {}, 3, 5, by_vizier=False)
    there = found.shares[:, :, 0] >= 0
    assert there.sum(axis=1).min() > 10
    assert found.shares[there].sum(axis=1) == pytest.approx(1, abs=1e-9)
    assert found.wins.sum(axis=1) == pytest.approx(1)
    assert not found.luck.any()
