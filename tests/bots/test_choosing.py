"""Choosing: every level, game, table and option; seeds; and life without compiled code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games import bots
from games.bots import judge
from games.engine.games import RULESETS
from games.engine.interface import Decide
from games.titles.marrakech.bots.levels import weighed
from games.titles.marrakech.rules import MARRAKECH
from tests.engine.random_games import SETTINGS, Setting, dealt, name, random_game

LEVELS = ("apprentice", "merchant", "vizier", "grand-vizier", "greedy", "random")


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_every_level_plays_by_the_rules(setting: Setting) -> None:
    rules = setting.rules
    for number, step in enumerate(random_game(setting, seed=3, leave=0.01)):
        pending = rules.pending(step.before)
        assert isinstance(pending, Decide)
        seen = rules.observe(step.before, pending.seat)
        level = LEVELS[number % len(LEVELS)]
        assert bots.choose(level, seen, number) in seen["legal"], level


def test_every_game_has_its_levels() -> None:
    assert set(bots.LEVELS) == set(RULESETS)


def test_an_unknown_level_is_refused() -> None:
    seen = MARRAKECH.observe(MARRAKECH.start(4, {}, ()), 0)
    with pytest.raises(ValueError, match="no bot 'sultan'"):
        bots.choose("sultan", seen, 1)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", list(RULESETS))
def test_the_same_seed_chooses_the_same(game: str, level: str) -> None:
    setting = Setting(RULESETS[game], 3, RULESETS[game].options({}))
    step = list(random_game(setting, seed=1))[20]
    seen = setting.rules.observe(step.before, step.seat)
    assert bots.choose(level, seen, b"seed") == bots.choose(level, seen, b"seed")


@pytest.mark.usefixtures("compiled")
def test_the_vizier_cannot_know_the_piles() -> None:
    """Two games that differ only below the top rugs look the same, to the last playout."""
    setting = Setting(MARRAKECH, 2, MARRAKECH.options({}))
    (first, second), _ = dealt(setting, 1)
    other = first[:1] + tuple(reversed(first[1:]))
    seen = [MARRAKECH.observe(MARRAKECH.start(2, {}, (p, second)), 0) for p in (first, other)]
    assert first != other
    assert weighed(seen[0], 5) == weighed(seen[1], 5)


@pytest.mark.usefixtures("compiled")
def test_the_vizier_turns_away_from_ruin() -> None:
    """Positions where one turn is at least four dirhams dearer than the best are not taken."""
    setting = Setting(MARRAKECH, 4, MARRAKECH.options({}))
    met = 0
    for seed in range(12):
        for step in random_game(setting, seed):
            if step.before.phase != "turn":
                continue
            seen = MARRAKECH.observe(step.before, step.seat)
            means = {action: seen["forecast"][action]["mean"] for action in seen["legal"]}
            if max(means.values()) > 4 + min(means.values()):
                met += 1
                assert means[bots.choose("vizier", seen, 1)] < max(means.values())
    assert met > 5


@pytest.mark.usefixtures("compiled")
def test_advice_is_the_viziers_choice_with_its_gain() -> None:
    setting = Setting(MARRAKECH, 2, MARRAKECH.options({}))
    for step in list(random_game(setting, seed=2))[10:30]:
        seen = MARRAKECH.observe(step.before, step.seat)
        advice = bots.advice(seen, 7)
        assert advice is not None
        assert advice.action == bots.choose("vizier", seen, 7)
        assert 0 <= advice.gain < 40
        if len(seen["legal"]) > 1:
            after = {each.action: each.shares[step.seat] for each in judge.actions(seen)}
            share, other = 100 * after.pop(advice.action), 100 * max(after.values())
            speaks = share >= other  # else the judge would rather do something else
            assert (advice.share, advice.other) == ((share, other) if speaks else (None, None))


def test_without_a_choice_nothing_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "ready", lambda: pytest.fail("there is nothing to think about"))
    start = MARRAKECH.start(4, {"turning": "after"}, ())
    seen = MARRAKECH.observe(start, 0)
    assert bots.choose("vizier", seen, 1) == "roll"
    assert bots.advice(seen) == bots.Advice("roll", 0.0)


def in_a_fresh_process(code: str, folder: Path) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "SOUK_DATA": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


STAND_IN = """
import json, sys
from games import bots
from games.engine.games import RULESETS
chosen = []
for game, rules in RULESETS.items():
    seen = rules.observe(rules.start(4, {}, ()), 0)
    assert bots.advice(seen) is None
    chosen += [bots.choose(level, seen, 9) for level in ("greedy", "merchant", "grand-vizier")]
print(json.dumps([chosen, bots.ready(), "numba" in sys.modules]))
"""


def test_a_plain_player_sits_in_until_compiled(tmp_path: Path) -> None:
    chosen, ready, loaded = json.loads(in_a_fresh_process(STAND_IN, tmp_path))
    assert chosen[0] == chosen[1] == chosen[2]
    assert chosen[3] == chosen[4] == chosen[5]
    assert not ready
    assert not loaded


WEB_PROCESS = """
import sys, django
django.setup()
import marrakech_site.urls, marrakech_site.wsgi, games.bots
print("numba" in sys.modules)
"""


def test_a_web_process_never_loads_the_compiler(tmp_path: Path) -> None:
    assert in_a_fresh_process(WEB_PROCESS, tmp_path).strip() == "False"


def test_compiled_code_is_kept_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "theirs"))
    bots.keep_compiled_in(tmp_path / "ours")
    first = os.environ["NUMBA_CACHE_DIR"]
    bots.keep_compiled_in(tmp_path / "ours")
    assert os.environ["NUMBA_CACHE_DIR"] == first
    assert Path(first).parent == tmp_path / "theirs"
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    bots.keep_compiled_in(tmp_path / "ours")
    assert Path(os.environ["NUMBA_CACHE_DIR"]).parent == tmp_path / "ours"
