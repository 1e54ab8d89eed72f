"""The yardsticks do what they are defined to do; the Apprentice is between them."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from games.titles.marrakech.bots import plain
from games.titles.marrakech.rules import MARRAKECH
from games.titles.marrakech.rules.position import squares
from tests.engine.random_games import Setting, random_game
from tools.bots.lineups import Lineup
from tools.bots.matches import Match, MatchScore, play_match_game

FOUR = Setting(MARRAKECH, 4, MARRAKECH.options({}))
FACING = Setting(MARRAKECH, 3, MARRAKECH.options({"turning": "after"}))


def states(setting: Setting, phase: str) -> list[Any]:
    games = (random_game(setting, seed) for seed in range(4))
    return [step.before for game in games for step in game if step.before.phase == phase]


def test_greedy_turns_to_the_lowest_expected_payment() -> None:
    for state in states(FOUR, "turn"):
        seen = MARRAKECH.observe(state, state.mover)
        means = {action: seen["forecast"][action]["mean"] for action in seen["legal"]}
        assert means[plain.greedy(seen, Random(1))] == min(means.values())


def test_greedy_lays_for_the_largest_gain_in_own_minus_other_squares() -> None:
    def margin(state: Any, seat: int) -> int:
        return squares(state, seat) - sum(squares(state, o) for o in range(4) if o != seat)

    for state in states(FOUR, "lay"):
        seat = state.mover
        gains = {
            action: margin(MARRAKECH.decide(state, seat, action)[0], seat)
            for action in MARRAKECH.legal(state)
        }
        chosen = plain.greedy(MARRAKECH.observe(state, seat), Random(1))
        assert gains[chosen] == max(gains.values())


def test_greedy_turns_away_so_that_the_next_player_pays_most() -> None:
    for state in states(FACING, "face"):
        fares = {}
        for action in MARRAKECH.legal(state):
            after, _ = MARRAKECH.decide(state, state.mover, action)
            fares[action] = MARRAKECH.observe(after, None)["forecast"]["roll"]["mean"]
        chosen = plain.greedy(MARRAKECH.observe(state, state.mover), Random(1))
        assert fares[chosen] == max(fares.values())


def test_equals_are_chosen_by_chance() -> None:
    seen = MARRAKECH.observe(MARRAKECH.start(4, {}, ()), 0)
    chosen = Counter(plain.greedy(seen, Random(seed)) for seed in range(60))
    assert set(chosen) == set(seen["legal"])


def share(first: str, second: str, game: str = "marrakech") -> float:
    total = MatchScore.zero(2)
    for number in range(40):
        total.add(play_match_game(Match(Lineup(game, (first, second), {}), 1), number))
    return total.share(0)[0]


def test_the_apprentice_beats_chance_and_loses_to_greedy() -> None:
    assert share("apprentice", "random") > 0.7
    assert share("apprentice", "greedy") < 0.45


def test_the_apprentice_of_ifrito_beats_chance() -> None:
    assert share("apprentice", "random", "ifrito") > 0.7
