"""Which judge an analysis follows from stands beside it, and one of another judge is made anew."""

from __future__ import annotations

from typing import Any

import pytest

from games import bots
from games.bots import reckoner
from games.models import Game, Performance, Reckoning
from games.reckon.judged.moments import Moment, from_json
from games.services import reckonings, stats
from games.services.errors import Refused
from tests.history.archive import people, stored_game
from tests.people import NOON
from tests.reckoning.invented import reckoning_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return stored_game(people("yasmin", "omar"), seed=3)


@pytest.fixture
def judge(game: Game, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A judge without compiled code, and what it was asked."""
    row = reckoning_of(game)
    said = [from_json(each) for each in row.moments]
    row.delete()
    asked: dict[str, Any] = {"version": "2.new", "first": 0, "second": []}

    def first_look(rules: Any, step: Any) -> Moment:
        asked["first"] += 1
        return said[(asked["first"] - 1) % len(said)]

    def second_look(rules: Any, step: Any, *, seed: int, number: int) -> Moment:
        asked["second"].append((seed, number))
        return said[number - 1]

    monkeypatch.setattr(bots, "ready", lambda: True)
    monkeypatch.setattr(reckoner, "version", lambda key, seats: asked["version"])
    monkeypatch.setattr(reckoner, "first_look", first_look)
    monkeypatch.setattr(reckoner, "second_look", second_look)
    return asked


def work() -> None:
    reckonings.work(clock=lambda: NOON, seconds=lambda: 0.0)


def test_an_analysis_says_which_judge_made_it(game: Game, judge: dict[str, Any]) -> None:
    row = reckonings.ask(game=game, now=NOON)
    work()
    row.refresh_from_db()
    assert (row.version, row.state, row.looked_at) == ("2.new", "first", 0)
    assert row.due_at == NOON
    assert len(row.moments) == game.move_count
    assert not Performance.objects.exists(), "it is not done yet"
    work()
    row.refresh_from_db()
    assert (row.version, row.state, row.looked_at) == ("2.new", "done", game.move_count)
    assert (row.due_at, row.entered_at, row.attempts) == (None, NOON, 0)
    assert judge["second"] == [(row.seed, number) for number in range(1, game.move_count + 1)]
    assert Performance.objects.count() == 2
    assert stats.differences(stats.recount()) == []
    assert reckonings.present_version(row) == "2.new"


def test_one_that_another_judge_began_is_begun_anew(game: Game, judge: dict[str, Any]) -> None:
    row = reckonings.ask(game=game, now=NOON)
    work()
    Reckoning.objects.update(version="1.old", looked_at=3)
    work()
    row.refresh_from_db()
    assert (row.version, row.looked_at, row.state) == ("2.new", 0, "first")
    assert judge["second"] == []


def test_asking_twice_is_asking_once_and_a_running_game_is_not_judged(
    game: Game, judge: dict[str, Any]
) -> None:
    assert reckonings.ask(game=game, now=NOON) == reckonings.ask(game=game, now=NOON)
    running = stored_game(list(game.players.all()), seed=5, until=6)
    with pytest.raises(Refused, match="Only finished"):
        reckonings.ask(game=running, now=NOON)
    assert Reckoning.objects.count() == 1


def test_what_cannot_be_judged_is_given_up_after_a_few_tries(
    game: Game, judge: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Moment:
        raise RuntimeError("no such judge")

    row = reckonings.ask(game=game, now=NOON)
    monkeypatch.setattr(reckoner, "first_look", broken)
    for attempt in range(1, reckonings.MOST_ATTEMPTS + 1):
        Reckoning.objects.update(due_at=NOON)
        work()
        row.refresh_from_db()
        assert row.attempts == attempt
    assert (row.state, row.due_at) == ("failed", None)
