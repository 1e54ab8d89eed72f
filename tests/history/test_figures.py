"""What each game counts about itself, checked against its own observations."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.games import RULESETS, ruleset
from games.engine.interface import Played
from games.engine.record import Step, replay
from games.titles.marrakech.rules.figures import expected_sixths
from tests.history.archive import record_of

KINDS = [(key, size) for key in RULESETS for size in RULESETS[key].seat_counts]


def steps_of(key: str, size: int, seed: int = 1) -> list[Step]:
    return list(replay(record_of(key, size, seed, leave=0.01)))


def figures_of(key: str, size: int, steps: list[Step]) -> Any:
    played = [Played(s.move.seat, s.move.action, s.before, s.after, s.facts) for s in steps]
    return ruleset(key).figures(size, played)


@pytest.mark.parametrize(("key", "size"), KINDS)
def test_counts_are_what_everybody_sees(key: str, size: int) -> None:
    rules = ruleset(key)
    for step in steps_of(key, size):
        players = rules.observe(step.after, None)["players"]
        for name, values in rules.counts(step.after).items():
            assert list(values) == [player[name] for player in players]


@pytest.mark.parametrize(("key", "size"), KINDS)
def test_figures_are_whole_numbers_of_each_seat(key: str, size: int) -> None:
    steps = steps_of(key, size)
    figures = figures_of(key, size, steps)
    assert len(figures) == size
    for each in figures:
        assert all(type(count) is int for count in (*each.sums.values(), *each.peaks.values()))
    die = ruleset(key).die
    rolled = [step.facts["die"] for step in steps if "die" in step.facts]
    for face in set(die):
        counted = sum(each.sums.get(f"die:{face}", 0) for each in figures)
        assert counted == rolled.count(face)
    assert die or not rolled


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_dirham_paid_is_earned_by_somebody(size: int) -> None:
    steps = steps_of("marrakech", size, seed=7)
    figures = figures_of("marrakech", size, steps)
    paid = [step.facts["paid"] for step in steps if "paid" in step.facts]
    total = sum(each["amount"] for each in paid)
    assert total > 0
    assert sum(each.sums.get("paid", 0) for each in figures) == total
    assert sum(each.sums.get("earned", 0) for each in figures) == total
    assert max(each.peaks["payment"] for each in figures) == max(each["amount"] for each in paid)


def test_what_could_be_expected_is_the_mean_of_the_forecast() -> None:
    rules = ruleset("marrakech")
    checked = 0
    for step in steps_of("marrakech", 3, seed=2):
        if "die" not in step.facts:
            continue
        forecast = rules.observe(step.before, None)["forecast"][step.move.action]
        purse = step.before.dirhams[step.move.seat]
        clipped = sum(face["weight"] * min(face["due"], purse) for face in forecast["faces"])
        assert expected_sixths(step.before, step.move.action) == clipped
        checked += bool(clipped)
    assert checked > 5


def test_the_largest_region_is_never_smaller_than_a_payment_to_its_owner() -> None:
    steps = steps_of("marrakech", 4, seed=5)
    figures = figures_of("marrakech", 4, steps)
    for step in steps:
        if paid := step.facts.get("paid"):
            assert figures[paid["to"]].peaks["region"] >= paid["due"]


def test_genies_and_carpets_change_hands() -> None:
    seed = next(
        n for n in range(50) if any("captured" in s.facts for s in steps_of("ifrito", 2, n))
    )
    steps = steps_of("ifrito", 2, seed)
    figures = figures_of("ifrito", 2, steps)
    captures = [step.facts["captured"] for step in steps if "captured" in step.facts]
    assert sum(each.sums.get("carpets_taken", 0) for each in figures) == len(captures)
    for what in ("carpets", "genies"):
        one, other = (each.sums for each in figures)
        assert one.get(f"{what}_taken", 0) == other.get(f"{what}_lost", 0)
        assert other.get(f"{what}_taken", 0) == one.get(f"{what}_lost", 0)
    assert max(each.peaks["haul"] for each in figures) == max(c["genies"] for c in captures)
