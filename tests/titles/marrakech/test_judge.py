"""The judge of Marrakech: true shares, no secrets, and the same to the byte everywhere."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from games.titles.judging import Prospect
from games.titles.marrakech.bots import judge, levels, prospects, tables
from games.titles.marrakech.bots import kernel as k
from games.titles.marrakech.bots.features import VISIT, describe, width
from games.titles.marrakech.bots.reading import position
from games.titles.marrakech.rules import MARRAKECH
from games.titles.network import Network, fresh
from tests.engine.random_games import SETTINGS, Setting, dealt, name, random_game
from tests.titles.shares import check_other_processor, check_shares
from tools.bots.evaluator_quality import measure_quality
from tools.bots.marrakech import measured_games as review
from tools.bots.marrakech import self_play as practice
from tools.bots.network_training import TrainingPlan
from tools.management.commands.train_evaluator import BOTS

pytestmark = pytest.mark.usefixtures("compiled")

OURS = [setting for setting in SETTINGS if setting.rules is MARRAKECH]


@pytest.mark.parametrize("setting", OURS, ids=name)
def test_shares_are_shares_whatever_is_to_be_decided(setting: Setting) -> None:
    for step in list(random_game(setting, seed=5, leave=0.01))[::5]:
        seen = MARRAKECH.observe(step.before, None)
        check_shares(prospects.shares(seen), seen)


def test_the_end_is_judged_by_its_outcome() -> None:
    s = np.zeros(k.LENGTH, np.int64)
    k.start(s, 3, True, False, False)
    s[k.PHASE] = k.OVER
    s[k.PURSE : k.PURSE + 3] = 31, 31, 28
    shares = np.zeros(3)
    judge.judged(tuple(prospects.network(3)), s, judge.desk(3), shares)
    assert shares.tolist() == [0.5, 0.5, 0]


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize("edition", ["international", "international-after"])
def test_faces_make_up_what_a_turn_is_worth(edition: str, careful: bool) -> None:
    setting = Setting(MARRAKECH, 3, MARRAKECH.presets[edition])
    for step in list(random_game(setting, seed=2))[:60:3]:
        seen = MARRAKECH.observe(step.before, None)
        if seen["pending"]["kind"] not in ("turn", "roll"):
            continue
        for action, shares in prospects.actions(seen, careful=careful):
            faces = prospects.faces(seen, action, careful=careful)
            assert [(face.value, face.sides) for face in faces] == [(1, 1), (2, 2), (3, 2), (4, 1)]
            for seat in range(3):
                mean = sum(face.sides * face.shares[seat] for face in faces) / 6
                assert shares[seat] == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("thorough", [False, True])
def test_the_best_action_comes_first(thorough: bool) -> None:
    setting = Setting(MARRAKECH, 4, MARRAKECH.options({}))
    for step in list(random_game(setting, seed=4))[10:20]:
        seen = MARRAKECH.observe(step.before, None)
        found = prospects.actions(seen, thorough=thorough)
        assert sorted(action for action, _ in found) == seen["legal"]
        if not thorough:
            own = [shares[step.seat] for _, shares in found]
            assert own == sorted(own, reverse=True)


def test_a_turn_is_judged_without_a_look_into_the_piles() -> None:
    """Not even at the top rug: its colour would be known too early within a search."""
    setting = Setting(MARRAKECH, 2, MARRAKECH.options({}))
    steps = [s for s in random_game(setting, seed=6) if s.before.phase == "turn"]
    desk, x = judge.desk(2), np.zeros((2, width(2)), np.float32)
    for step in steps[::4]:
        s = position(MARRAKECH.observe(step.before, None))
        for row, piles in enumerate(((0, 0), (1, 5))):
            s[k.PILE : k.PILE + 2] = piles
            describe(s, x[row], np.zeros(2, np.bool_), desk[2])
        assert (x[0] == x[1]).all()


def test_the_grand_vizier_cannot_know_the_piles() -> None:
    setting = Setting(MARRAKECH, 2, MARRAKECH.options({}))
    (first, second), _ = dealt(setting, 1)
    other = first[:1] + tuple(reversed(first[1:]))
    seen = [MARRAKECH.observe(MARRAKECH.start(2, {}, (p, second)), 0) for p in (first, other)]
    assert first != other
    assert prospects.actions(seen[0], thorough=True) == prospects.actions(seen[1], thorough=True)
    assert levels.grand_vizier(seen[0], 3) == levels.grand_vizier(seen[1], 3)


def test_in_near_choices_the_grand_vizier_hears_the_vizier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever continuations promise, nothing is done that the network finds clearly worse."""
    setting = Setting(MARRAKECH, 2, MARRAKECH.options({}))
    heard = unheard = 0
    for step in list(random_game(setting, seed=5))[4:60:2]:
        seen = MARRAKECH.observe(step.before, step.seat)
        first, second, *_ = prospects.actions(seen, thorough=True)
        praise = [(second.action, 1.0, 0.0), (first.action, -1.0, 0.0)]
        monkeypatch.setattr(levels, "_continued", lambda *_, praise=praise: praise)
        if first.shares[step.seat] - second.shares[step.seat] > levels.NEAR:
            unheard += 1
            assert levels.grand_vizier(seen, 1) == first.action
        elif first.shares[step.seat] > second.shares[step.seat]:
            heard += 1
            assert levels.grand_vizier(seen, 1) == second.action
    assert heard
    assert unheard


def test_what_was_not_looked_at_as_far_is_not_near() -> None:
    found = [Prospect(name, (share,)) for name, share in (("a", 0.5), ("b", 0.48), ("c", 0.52))]
    assert levels._near(found, 0) == {"a": 0.5, "b": 0.48}
    assert levels._near([*found[:2], Prospect("d", (0.46,))], 0) == {"a": 0.5, "b": 0.48}


def test_assam_is_always_somewhere() -> None:
    somewhere = VISIT[:, 4 * 27].sum(axis=1)
    rolls = [column for column in range(somewhere.shape[1]) if column != 6]
    assert somewhere[:, rolls] == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("play", "how"),
    [(practice.play_network_games, ()), (practice.play_vizier_games, (2, practice.PLAYOUTS))],
    ids=["own", "viziers"],
)
def test_practice_without_luck_shares_one_win(
    play: Callable[..., int], how: tuple[int, ...]
) -> None:
    rows = 6 * tables.MAX_ROLLS
    lessons = (
        np.zeros((rows, width(3)), np.float32),
        np.zeros((rows, 3), np.bool_),
        np.zeros((rows, 3), np.float32),
    )
    network = tuple(prospects.network(3))
    count = play(network, 3, *how, 6, 77, judge.desk(3), *lessons)
    targets = lessons[2][:count]
    assert count > 6 * 20
    assert targets.sum(axis=1) == pytest.approx(1, abs=1e-4)
    # The luck of everybody's dice is gone: no game is won or lost by its beginning.
    assert np.abs(targets - 1 / 3).max() < 2
    assert len(np.unique(targets[:, 0])) > count // 2


def test_every_table_of_who_learns_among_viziers_has_one_by_the_network() -> None:
    """Others never ask the network, so one that knows nothing changes what is played."""
    rows = 4 * tables.MAX_ROLLS

    def lessons(network: tuple[np.ndarray, ...], every: int) -> np.ndarray:
        room = judge.desk(3)
        features = np.zeros((rows, width(3)), np.float32)
        inside, targets = np.zeros((rows, 3), np.bool_), np.zeros((rows, 3), np.float32)
        practice.play_vizier_games(network, 3, every, 20, 4, 78, room, features, inside, targets)
        return features

    known, unknown = tuple(prospects.network(3)), tuple(fresh(width(3), 3, 1))
    hosted, deserted = 1, 1_000
    assert (lessons(known, hosted) != lessons(unknown, hosted)).any()
    assert (lessons(known, deserted) == lessons(unknown, deserted)).all()


@pytest.mark.parametrize("train", [practice.train, partial(practice.train, among_viziers=True)])
def test_the_same_training_makes_the_same_weights(train: Callable[..., Network]) -> None:
    plan = TrainingPlan(
        bootstrap_games=40, self_play_games=8, bootstrap_chunk=20, self_play_chunk=4
    )
    reports: list[str] = []
    one, other = (train(2, 3, plan, reports.append) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert len(reports) == 8
    assert reports[:4] == reports[4:]
    assert (train(2, 4, plan, reports.append).w1 != one.w1).any()


def test_the_network_of_the_grand_vizier_is_kept_beside_that_of_the_judge(tmp_path: Path) -> None:
    few: dict[str, Any] = {
        "players": 3,
        "bootstrap_games": 1,
        "self_play_games": 1,
        "into": tmp_path,
        "stdout": io.StringIO(),
    }
    call_command("train_evaluator", "marrakech", among_viziers=True, **few)
    call_command("train_evaluator", "marrakech", **few)
    kept = {path.name for path in tmp_path.iterdir()}
    weights = {name for name in kept if name.endswith(".npz")}
    assert weights == {"3.npz", "among-viziers-3.npz"}
    assert weights <= {path.name for path in prospects.WEIGHTS.iterdir()}
    reports = {"training-3.txt", "training-among-viziers-3.txt"}
    assert kept - weights == reports
    assert reports <= {path.name for path in (BOTS / "marrakech" / "measurements").iterdir()}
    for game, players in (("marrakech", 2), ("ifrito", 3)):
        with pytest.raises(CommandError, match="goes by the network of the judge"):
            call_command("train_evaluator", game, among_viziers=True, **few | {"players": players})


SHARES = """
import json
from games.titles.marrakech.bots import prospects
from games.titles.marrakech.rules import MARRAKECH
from tests.engine.random_games import Setting, random_game
said = []
for seats in (2, 4):
    for step in list(random_game(Setting(MARRAKECH, seats, MARRAKECH.options({})), seed=8))[::4]:
        seen = MARRAKECH.observe(step.before, None)
        if seen["pending"]["kind"] == "turn":
            said.append([share.hex() for share in prospects.shares(seen)])
        said.append(prospects.trials(seen, seen["legal"][0], seed=3, first=0, count=4))
print(json.dumps(said))
"""


def test_another_kind_of_processor_says_the_same_to_the_byte(tmp_path: Path) -> None:
    """The network, and continuations by it with their chance, on which reckonings rest: to compile
    all else once more, for a processor that nobody here has, takes a minute."""
    check_other_processor(SHARES, tmp_path)


def test_rolls_valued_with_care_explain_more_of_the_same_games() -> None:
    options = MARRAKECH.options({})
    quick, careful = (
        review.measure_games(2, options, 40, 7, by_vizier=False, careful=careful)
        for careful in (False, True)
    )
    assert np.array_equal(quick.wins, careful.wins)
    assert np.array_equal(quick.shares, careful.shares)
    assert measure_quality(careful).variance_left < measure_quality(quick).variance_left
