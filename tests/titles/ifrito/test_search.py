"""Search in Ifrito: the same rules as the engine's, and actions that anybody would call right."""

from __future__ import annotations

import pytest

from games import bots
from games.engine.interface import LEAVING, Decide
from games.titles.ifrito.bots import kernel as r
from games.titles.ifrito.bots.reading import numbered, position
from games.titles.ifrito.rules import IFRITO
from tests.engine.random_games import Setting, random_game
from tests.titles.ifrito.positions import ABOUT_TO_WIN
from tests.titles.ifrito.positions import position as set_up


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_move_by_move(seats: int) -> None:
    for seed in range(6):
        for step in random_game(Setting(IFRITO, seats, {}), seed, leave=0.01 * (seed % 2)):
            s = position(IFRITO.observe(step.before, None))
            actions = numbered(s)
            assert sorted(actions) == list(IFRITO.legal(step.before))
            if step.action in LEAVING:
                continue
            r.act(s, actions[step.action])
            if isinstance(IFRITO.pending(step.after), Decide):
                assert s.tolist() == position(IFRITO.observe(step.after, None)).tolist()
            elif step.after.ended != "stalled":
                assert s[r.ENDED]


@pytest.mark.usefixtures("compiled")
class TestViziers:
    def test_takes_a_win_in_one(self) -> None:
        seen = IFRITO.observe(ABOUT_TO_WIN, 0)
        for seed in range(5):
            assert bots.choose("vizier", seen, seed) == "capture:Ua1-Ua2"
            assert bots.choose("grand-vizier", seen, seed) == "capture:Ua1-Ua2"
            assert bots.choose("merchant", seen, seed) == "capture:Ua1-Ua2"

    @pytest.mark.parametrize("level", ["vizier", "grand-vizier"])
    def test_flees_from_a_loss(self, level: str) -> None:
        """The opponent needs one more carpet, and only one own carpet is in reach."""
        state = set_up(
            {"Ua2": "E", "Ue5": "S W", "Le1": "N W"},
            {"Ua1": "N", "Lc3": "W S", "La5": "S"},
            captured=(0, 2),
        )
        seen = IFRITO.observe(state, 0)
        for seed in range(5):
            action = bots.choose(level, seen, seed)
            after, _ = IFRITO.decide(state, 0, action)
            assert not any(each.startswith("capture") for each in IFRITO.legal(after)), action

    def test_advice_says_how_much_better_it_is(self) -> None:
        state = set_up(
            {"Ua1": "N", "Uc3": "E S", "Le5": "S"},
            {"Ua2": "N", "Ue5": "S", "Le1": "N"},
            captured=(2, 0),
        )
        advice = bots.advice(IFRITO.observe(state, 0))
        assert advice is not None
        assert advice.action == "capture:Ua1-Ua2"
        assert advice.gain > 5
