"""A real judge looks at whole games: the laws hold, and old answers are still the answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.bots import judge, reckoner
from games.engine.interface import Over, Played
from games.reckon.judged.reckoning import Reckoning
from games.reckon.judged.shares import WHOLE, won
from tests.engine.random_games import SETTINGS, Setting, name, random_game

pytestmark = pytest.mark.usefixtures("compiled")

JUDGED = [setting for setting in SETTINGS if judge.is_judged(setting.rules.key)]
GOLDEN = Path(__file__).parent / "golden"
SECOND = slice(10, 50, 10)
"""Of a golden game, the moves that are tried out."""


def played(setting: Setting, seed: int, leave: float = 0.0) -> list[Played]:
    return [
        Played(step.seat, step.action, step.before, step.after, step.facts)
        for step in random_game(setting, seed, leave)
    ]


GAMES = 200
"""Of all kinds together, at least."""


@pytest.mark.parametrize("setting", JUDGED, ids=name)
def test_luck_gifts_and_residual_are_the_result(setting: Setting) -> None:
    for seed in range(GAMES // len(JUDGED) + 1):
        holds(setting, played(setting, seed, leave=0.01))


def holds(setting: Setting, steps: list[Played]) -> None:
    end = setting.rules.pending(steps[-1].after)
    assert isinstance(end, Over)
    moments = tuple(reckoner.first_look(setting.rules, step) for step in steps)
    found = Reckoning(moments, won(end.ranking, setting.seats))
    for seat in found.seats:
        given = sum(row[seat] for row in found.gifts)
        assert found.gain[seat] == found.luck[seat] + given + found.residual[seat]
    assert all(sum(moment.before) == WHOLE for moment in moments)
    assert all(moment.loss >= 0 for moment in moments if moment.is_free), "the best is best"


def looked_at(setting: Setting) -> str:
    """Two looks at a game, in the form of the golden files."""
    steps = played(setting, 11)
    found = [reckoner.first_look(setting.rules, step) for step in steps]
    for number in range(len(steps))[SECOND]:
        found[number] = reckoner.second_look(
            setting.rules, steps[number], seed=42, number=number + 1
        )
    version = reckoner.version(setting.rules.key, setting.seats)
    lines = [json.dumps({"version": version}), *(json.dumps(each.as_json()) for each in found)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_golden_reckonings_come_out_to_the_byte(golden: Path) -> None:
    """Whoever changes what a judge says gives it another version, and new golden files."""
    key, seats = golden.stem.split("-")
    setting = next(each for each in JUDGED if (each.rules.key, each.seats) == (key, int(seats)))
    assert looked_at(setting) == golden.read_text()
