"""Reckonings as work: asked for, leased, done in slices, and never of a running game."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import workers
from games.bots import reckoner
from games.models import Game, Reckoning
from games.reckon.judged import trials
from games.selectors.reckonings import reckoned
from games.selectors.records import record_of
from games.services import limits, reckonings
from games.services.errors import Refused
from tests.history.archive import people, stored_game
from tests.people import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("compiled")]


@pytest.fixture(autouse=True)
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "FEWEST", 2)
    monkeypatch.setattr(trials, "MOST", 2)


@pytest.fixture(autouse=True)
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []
    monkeypatch.setattr(workers, "wake", lambda task, **_: asked.append(task))
    return asked


def ticking(step: float) -> Iterator[float]:
    return (number * step for number in count())


def work(at: timedelta = timedelta(), *, slow: bool = False) -> bool:
    ticks = ticking(0.6 if slow else 0.0)
    return reckonings.work(clock=lambda: NOON + at, seconds=lambda: next(ticks))


def done(game: Game) -> Reckoning:
    reckonings.ask(game=game, now=NOON)
    while work():
        pass
    return Reckoning.objects.get(game=game)


def test_a_game_is_judged_by_a_first_look_then_with_care(finished: Game) -> None:
    reckonings.ask(game=finished, now=NOON)
    assert work()
    row = Reckoning.objects.get(game=finished)
    assert (row.state, row.looked_at, len(row.moments)) == ("first", 0, finished.move_count)
    assert work(slow=True)
    row.refresh_from_db()
    assert row.state == "first"
    assert 0 < row.looked_at < finished.move_count, "a slice of time"
    while work():
        pass
    row.refresh_from_db()
    assert (row.state, row.due_at, row.looked_at) == ("done", None, finished.move_count)
    assert row.version == reckoner.version("marrakech", 2)
    assert all(moment["error"] is not None for moment in row.moments)
    assert finished.result
    found = reckoned(row, finished.result["ranking"], 2)
    for seat in found.seats:
        given = sum(line[seat] for line in found.gifts)
        assert found.gain[seat] == found.luck[seat] + given + found.residual[seat]


def test_it_is_recomputed_to_the_byte(finished: Game, capsys: pytest.CaptureFixture[str]) -> None:
    row = done(finished)
    call_command("verify", reckoning=True)
    assert "1 recomputed" in capsys.readouterr().out
    row.moments[4]["options"][0][1][0] += 1
    row.save()
    with pytest.raises(CommandError):
        call_command("verify", analyses=True)
    assert f"{finished.public_id}: FAILED: move 5" in capsys.readouterr().out
    Reckoning.objects.update(version="0.old")
    call_command("verify", analyses=True)
    assert "1 of other versions" in capsys.readouterr().out


def test_a_game_without_dice_is_judged_too(capsys: pytest.CaptureFixture[str]) -> None:
    game = stored_game(people("Omar", "Wei", "Ann"), ruleset="ifrito", seed=4)
    row = done(game)
    assert row.state == "done"
    assert row.version == reckoner.version("ifrito", 3)
    assert any(moment["trials"] for moment in row.moments)
    assert game.result
    found = reckoned(row, game.result["ranking"], 3)
    for seat in found.seats:
        assert found.luck[seat] == 0
        given = sum(line[seat] for line in found.gifts)
        assert found.gain[seat] == given + found.residual[seat]
    call_command("verify", analyses=True)
    assert "1 recomputed" in capsys.readouterr().out


def test_asking_twice_is_asking_once(finished: Game) -> None:
    assert reckonings.ask(game=finished, now=NOON) == reckonings.ask(game=finished, now=NOON)


def test_a_running_game_is_never_judged() -> None:
    running = stored_game(people("Omar", "Wei"), until=9)
    with pytest.raises(Refused):
        reckonings.ask(game=running, now=NOON)
    assert not work()
    assert not Reckoning.objects.exists()


def test_a_game_without_a_judge_is_refused(unjudged: Game) -> None:
    with pytest.raises(Refused):
        reckonings.ask(game=unjudged, now=NOON)
    assert not work()


def test_games_that_have_just_ended_are_looked_at_unasked(finished: Game) -> None:
    assert not work(timedelta(days=3)), "too long ago"
    assert work(timedelta(hours=1))
    assert Reckoning.objects.get().game == finished


def test_who_has_lost_the_lease_writes_nothing(
    finished: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckonings.ask(game=finished, now=NOON)
    look = reckonings._first

    def slowly(game: object) -> list[object]:
        Reckoning.objects.update(due_at=NOON + timedelta(hours=1))
        return look(game)  # type: ignore[arg-type]

    monkeypatch.setattr(reckonings, "_first", slowly)
    assert work()
    assert Reckoning.objects.get().moments == []
    assert not work(), "leased to somebody else"
    assert work(timedelta(hours=1)), "who died"


def test_what_cannot_be_judged_is_given_up(finished: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    reckonings.ask(game=finished, now=NOON)

    def broken(game: object) -> list[object]:
        raise ZeroDivisionError

    monkeypatch.setattr(reckonings, "_first", broken)
    for hour in range(reckonings.MOST_ATTEMPTS):
        assert work(timedelta(hours=hour))
    assert not work(timedelta(hours=9))
    assert Reckoning.objects.get().state == "failed"


def test_a_record_from_outside_is_judged_as_the_game_is(finished: Game) -> None:
    record = record_of(finished)
    row = reckonings.ask_for_record(record=record, now=NOON)
    assert reckonings.ask_for_record(record=record, now=NOON) == row
    assert work()
    row.refresh_from_db()
    assert len(row.moments) == finished.move_count


def test_nobody_has_the_whole_archive_judged(finished: Game) -> None:
    asks: dict[str, Any] = {"now": NOON, "player": finished.creator, "network": "198.51.100.1"}
    for _ in range(limits.LIMITS["judging"]["sender"].times - 1):
        limits.spend("judging", now=NOON, sender=finished.creator_id)
    reckonings.ask(game=finished, **asks)
    reckonings.ask(game=finished, **asks)
    other = stored_game(people("Ann", "Bob"), seed=3)
    with pytest.raises(limits.TooOften):
        reckonings.ask(game=other, **asks)
    assert not Reckoning.objects.filter(game=other).exists()
