"""The arena: fair seats, honest counts, the same games for the same seed."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tools.bots.lineups import Lineup, fill_seats
from tools.bots.matches import Match, MatchScore, play_match_game

pytestmark = pytest.mark.usefixtures("compiled")

CHANCE = Match(Lineup("marrakech", ("random",) * 4, {}), 1)


def test_the_last_bot_fills_the_table() -> None:
    assert fill_seats(["vizier", "greedy"], 4) == ("vizier", "greedy", "greedy", "greedy")
    assert fill_seats(["vizier"], 2) == ("vizier", "vizier")


def test_equals_win_equally_often_whatever_their_seats() -> None:
    total = MatchScore.zero(4)
    for number in range(120):
        total.add(play_match_game(CHANCE, number))
    assert total.games == 120
    assert sum(tally.wins for tally in total.tallies) == pytest.approx(120)
    for place in range(4):
        share, half = total.share(place)
        assert share == pytest.approx(0.25, abs=0.12)
        assert half == pytest.approx(0.077, abs=0.02)


def test_a_game_is_the_same_for_the_same_number() -> None:
    other = replace(CHANCE, seed=2)
    assert winners(CHANCE) == winners(CHANCE)
    assert winners(CHANCE) != winners(other)


def test_luck_is_taken_from_one_and_given_to_another() -> None:
    merchants = Match(Lineup("marrakech", ("merchant",) * 2, {}), 1, without_luck=True)
    total = MatchScore.zero(2)
    for number in range(6):
        total.add(play_match_game(merchants, number))
    assert sum(tally.fair for tally in total.tallies) == pytest.approx(6, abs=1e-6)
    # The same dice with seats exchanged: what is left scatters less than wins and losses do.
    assert total.fair_share(0)[1] < total.share(0)[1]


def winners(duel: Match) -> list[list[float]]:
    return [[tally.wins for tally in play_match_game(duel, n).tallies] for n in range(8)]


def test_the_command_prints_shares_and_times() -> None:
    out, progress = StringIO(), StringIO()
    call_command(
        "bot_match",
        "--players",
        "3",
        "--bots",
        "greedy,random",
        "--games",
        "6",
        "--processes",
        "1",
        stdout=out,
        stderr=progress,
    )
    first, second, third = out.getvalue().splitlines()
    assert re.fullmatch(
        r"greedy: \d+\.\d% ± \d+\.\d% of 6 games, \d+\.\d\d ms a decision \(longest \d+ ms\)", first
    )
    assert second.startswith("random: ")
    assert third.startswith("random: ")
    assert "6 of 6 games" in progress.getvalue()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--bots", "sultan"], "no bot 'sultan'"),
        (["--bots", "greedy", "--players", "5"], "not 5"),
        (["--bots", "greedy,random,greedy"], "too many"),
        (["--bots", "greedy", "--edition", "lunar"], "no edition 'lunar'"),
        (["--bots", "greedy", "--games", "0"], "1 or more"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("bot_match", *arguments)
