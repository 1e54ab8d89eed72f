"""What a bot worked out for a position that is no more changes nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games import bots as brains_of
from games.models import BotLevel, Game, Hint, Player
from games.selectors.bots import may_have_hints
from games.services import bots, lobby
from games.services.errors import Refused
from tests.bots_site.conftest import Brains
from tests.people import NOON, do, legal, new_player, started_game, whose_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def yasmin() -> Player:
    return new_player("Yasmin")


def own_turn(player: Player) -> Game:
    game = lobby.play_against_bots(
        player=player, ruleset="marrakech", opponents=1, level=BotLevel.APPRENTICE, now=NOON
    )
    while whose_turn(game) != player:
        do(game, legal(game)[0], NOON)
    return game


def ask(game: Game, player: Player) -> Hint:
    bots.ask_for_hint(game_id=game.pk, player=player, now=NOON)
    return Hint.objects.get()


def test_an_answer_to_an_outdated_hint_leaves_the_new_one_alone(
    yasmin: Player, brains: Brains, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = own_turn(yasmin)
    outdated = ask(game, yasmin)
    real = brains.advice

    def meanwhile(observation: Any, seed: int) -> brains_of.Advice | None:
        """Somebody plays and asks again while the first answer is worked out."""
        monkeypatch.setattr(brains_of, "advice", real)
        do(game, legal(game)[0], NOON)
        assert whose_turn(game) == yasmin, "a turn has more than one decision"
        ask(game, yasmin)
        return real(observation, seed)

    monkeypatch.setattr(brains_of, "advice", meanwhile)
    bots._answer(outdated, lambda: NOON)
    fresh = Hint.objects.get()
    assert fresh.on_move == outdated.on_move + 1
    assert (fresh.answer, fresh.due_at) == (None, NOON)
    assert bots.play_due(clock=lambda: NOON) == 1
    fresh.refresh_from_db()
    assert fresh.answer is not None
    assert fresh.answer["action"] in legal(game)
    assert fresh.due_at is None


def test_a_hint_about_a_position_that_is_no_more_is_not_given(
    yasmin: Player, brains: Brains
) -> None:
    game = own_turn(yasmin)
    hint = ask(game, yasmin)
    do(game, legal(game)[0], NOON)
    bots._answer(hint, lambda: NOON)
    hint.refresh_from_db()
    assert (hint.answer, hint.due_at) == (None, None)


def test_asking_in_a_new_position_forgets_what_was_said_of_the_old_one(
    yasmin: Player, brains: Brains
) -> None:
    game = own_turn(yasmin)
    ask(game, yasmin)
    bots.play_due(clock=lambda: NOON)
    assert Hint.objects.get().answer is not None
    do(game, legal(game)[0], NOON)
    assert whose_turn(game) == yasmin
    again = ask(game, yasmin)
    assert (again.answer, again.due_at, again.on_move) == (None, NOON, game.move_count)


def test_hints_are_for_running_casual_games_with_bots_alone(yasmin: Player) -> None:
    game = own_turn(yasmin)
    seats = list(game.seats.select_related("player"))
    own = next(seat for seat in seats if seat.player == yasmin)
    assert may_have_hints(game, seats, own)
    for change in ({"rated": True}, {"status": Game.Status.OVER}, {"ruleset": "gone"}):
        other = Game.objects.get(pk=game.pk)
        for name, value in change.items():
            setattr(other, name, value)
        assert not may_have_hints(other, seats, own), change
    for seat in seats:
        seat.player.bot_level = ""
    assert not may_have_hints(game, seats, own)


def test_asking_twice_is_asking_once_and_only_who_is_to_act_asks(
    yasmin: Player, brains: Brains
) -> None:
    game = own_turn(yasmin)
    ask(game, yasmin)
    bots.play_due(clock=lambda: NOON)
    answered = Hint.objects.get().answer
    assert answered is not None
    assert ask(game, yasmin).answer == answered
    with pytest.raises(Refused, match="Hints are for"):
        bots.ask_for_hint(game_id=game.pk, player=new_player("Omar"), now=NOON)
    people = started_game([yasmin, new_player("Wei")])
    with pytest.raises(Refused, match="Hints are for"):
        bots.ask_for_hint(game_id=people.pk, player=whose_turn(people), now=NOON)
    while whose_turn(game) == yasmin:
        do(game, legal(game)[0], NOON)
    with pytest.raises(Refused, match="not your turn"):
        bots.ask_for_hint(game_id=game.pk, player=yasmin, now=NOON)


def test_what_another_worker_holds_is_due_again_after_the_lease(
    yasmin: Player, brains: Brains
) -> None:
    game = own_turn(yasmin)
    ask(game, yasmin)
    claimed = bots._claim(Hint.objects.all(), "due_at", NOON)
    assert claimed == Hint.objects.get()
    assert bots._claim(Hint.objects.all(), "due_at", NOON) is None
    just_before = NOON + bots.LEASE - timedelta(seconds=1)
    assert bots._claim(Hint.objects.all(), "due_at", just_before) is None
    assert bots._claim(Hint.objects.all(), "due_at", NOON + bots.LEASE) == claimed


def test_a_bot_that_thinks_while_its_game_goes_on_plays_nothing(
    yasmin: Player, brains: Brains, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = own_turn(yasmin)
    while whose_turn(game) == yasmin:
        do(game, legal(game)[0], NOON)
    made = game.move_count
    real = brains.choose

    def meanwhile(level: str, observation: Any, seed: int) -> str:
        do(game, legal(game)[-1], NOON)
        return real(level, observation, seed)

    monkeypatch.setattr(brains_of, "choose", meanwhile)
    due = Game.objects.get(pk=game.pk)
    bots._play(due, lambda: NOON)
    assert game.moves.count() == made + 1
