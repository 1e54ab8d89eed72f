"""What bots lose at a decision: on the half of the continuations that did not choose the best."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.management.lineups import Lineup
from games.management.regrets import Study, look_into, loss


def test_the_best_is_chosen_on_one_half_and_valued_on_the_other() -> None:
    steady = [(500, 0)] * 4
    outcomes = {"steady": steady, "lucky first": [(900, 0), (900, 0), (100, 0), (100, 0)]}
    # By the first half the lucky one is best, and worth 100 on the second; by the second it is
    # not.
    assert loss(outcomes, "steady", 0) == ((100 - 500) + 0) / 2
    assert loss(outcomes, "lucky first", 0) == (0 + (500 - 900)) / 2
    assert loss({"steady": steady, "worse": [(400, 0)] * 4}, "worse", 0) == 100


@pytest.mark.usefixtures("compiled")
class TestRegret:
    def study(self, game: str) -> Study:
        return Study(Lineup(game, ("grand-vizier", "random"), {}), seed=5, decisions=4, trials=16)

    def test_a_game_is_looked_into_in_the_same_way_for_the_same_number(self) -> None:
        study = self.study("marrakech")
        found = look_into(study, 0)
        assert found == look_into(study, 0)
        assert found != look_into(study, 1)
        assert [set(each) for each in found.losses] == [{"grand-vizier", "random"}] * 4
        assert found.choices > 20

    def test_whoever_plays_anything_loses_more(self) -> None:
        losses = look_into(replace(self.study("marrakech"), decisions=12), 2).losses
        careful, careless = (
            sum(each[bot] for each in losses) for bot in ("grand-vizier", "random")
        )
        assert careless > careful

    def test_the_command(self) -> None:
        out = StringIO()
        call_command(
            *("regret", "--bots", "greedy,random", "--games", "2", "--decisions", "2"),
            *("--trials", "4", "--processes", "1"),
            stdout=out,
        )
        first, second = out.getvalue().splitlines()
        assert first.startswith("greedy: loses ")
        assert second.startswith("random: loses ")
        assert first.endswith("(4 decisions)")

    def test_what_makes_no_sense_is_refused(self) -> None:
        with pytest.raises(CommandError, match="2 or more"):
            call_command("regret", "--bots", "greedy", "--trials", "1")
        with pytest.raises(CommandError, match="1 or more"):
            call_command("regret", "--bots", "greedy", "--games", "0")
