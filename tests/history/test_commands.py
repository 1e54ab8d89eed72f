"""`rate` and `verify --all`: what they compute, what they find, what they set right."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Game, Move, Rating, Seat
from tests.history.archive import given_up, people, stored_game
from tests.people import NOON

pytestmark = pytest.mark.django_db


def run(*args: str) -> str:
    out = io.StringIO()
    call_command(*args, stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.fixture
def games() -> list[Game]:
    players = people("yasmin", "omar", "wei")
    return [
        stored_game(players, seed=1),
        stored_game(players[:2], seed=2, leave=0.1, ended_at=NOON.replace(hour=13)),
        stored_game(players[:2], ruleset="ifrito", seed=2, ended_at=NOON.replace(hour=14)),
        stored_game(players, seed=3, until=12, ended_at=NOON.replace(hour=15)),
    ]


def test_rate_agrees_with_what_was_kept_and_rebuild_changes_nothing(games: Any) -> None:
    assert run("recompute_statistics") == "3 finished games: every number follows\n"
    before = list(Rating.objects.order_by("player", "ruleset").values("mu", "sigma", "games"))
    assert run("recompute_statistics", "--rebuild") == "3 finished games counted\n"
    after = list(Rating.objects.order_by("player", "ruleset").values("mu", "sigma", "games"))
    assert before == after


def test_rate_finds_what_is_wrong_and_rebuild_sets_it_right(games: Any) -> None:
    Rating.objects.filter(player__username="omar").update(mu=99)
    with pytest.raises(CommandError, match="2 numbers differ"):
        run("recompute_statistics")
    run("recompute_statistics", "--rebuild")
    assert "every number follows" in run("recompute_statistics")


def test_verify_all_is_content_with_games_as_they_were_played(games: Any) -> None:
    assert run("verify", "--all") == ("4 games: ok: everything derived follows from the moves\n")


@pytest.mark.parametrize(
    ("model", "where", "change", "fault"),
    [
        (Game, {"status": "over"}, {"move_count": 3}, "move_count is 3"),
        (Game, {"status": "over"}, {"result": {"reason": "rugs"}}, "result is"),
        (Game, {"status": "over"}, {"ended_at": None}, "ended_at is None"),
        (Game, {"status": "over"}, {"commitment": "00"}, "commitment is not that of the seed"),
        (Game, {"status": "running"}, {"to_act": None}, "to_act is None"),
        (Game, {"status": "running"}, {"to_act_kind": "pick"}, "to_act_kind is 'pick'"),
        (Seat, {"place": 1}, {"place": 2}, "place of seat"),
        (Seat, {"number": 0}, {"left_by": "resign"}, "left_by of seat 0 is 'resign'"),
        (Seat, {"joined": 0}, {"entropy": "other"}, ""),
        (Move, {"number": 1}, {"facts": {"die": 9}}, "move 1: its facts are not"),
        (Move, {"number": 2}, {"action": "lay:a1a9"}, "move 2: "),
        (Rating, {}, {"mu": 9.0}, "numbers: FAILED: Rating"),
    ],
)
def test_verify_all_finds_each_thing_that_does_not_follow(
    games: Any, model: Any, where: Any, change: Any, fault: str, capsys: Any
) -> None:
    chosen = model.objects.filter(**where).order_by("pk")[0]
    model.objects.filter(pk=chosen.pk).update(**change)
    out = io.StringIO()
    with pytest.raises(CommandError, match="failures in 4 games"):
        call_command("verify", "--all", stdout=out)
    assert fault in out.getvalue()


def test_verify_wants_either_files_or_all(games: Any) -> None:
    for args in ([], ["--all", "file"]):
        with pytest.raises(CommandError, match="name files to verify, or --all"):
            run("verify", *args)


def test_the_shortest_games_verify_too() -> None:
    given_up(*people("a", "b"), by="timeout")
    assert "1 games: ok" in run("verify", "--all")
