"""Many hands move at once: one move is made, and the rest are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial
from threading import Barrier

import pytest
from django.db import IntegrityError, OperationalError, connection

from games.models import Game, Player
from games.selectors.course import Course
from games.selectors.table import see_table
from games.services import play
from tests.hands import at_once
from tests.people import NOON, new_players, play_on, signed_in, started_game, whose_turn
from tools.patience import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

HANDS = 50


def posting(game: Game, player: Player, action: str, on_move: int) -> Callable[[], int]:
    """A browser that sends the form and reads the status of the answer."""
    client = signed_in(player)
    data = {"action": action, "on": str(on_move)}
    url = f"{game.get_absolute_url()}move/"
    return lambda: client.post(url, data, headers={"HX-Request": "true"}).status_code


def playing(game: Game, player: Player, action: str, on_move: int) -> Callable[[], Course]:
    return lambda: play.play_move(
        game_id=game.pk, player=player, action=action, on_move=on_move, now=NOON
    )


def assert_sound(game: Game) -> None:
    """The rows agree with each other, whatever was tried."""
    game.refresh_from_db()
    numbers = list(game.moves.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, game.move_count + 1))
    table = see_table(game, None)
    assert game.to_act
    assert game.to_act.number == table.pending["seat"]
    assert game.to_act_kind == table.pending["kind"]


def test_the_same_move_by_many_hands_is_made_once() -> None:
    game = started_game(new_players(3))
    play_on(game, 2)
    answers = at_once([posting(game, whose_turn(game), "turn:L", 2)] * HANDS)
    assert answers == [200] * HANDS
    assert game.moves.count() == 3
    assert_sound(game)


def test_of_different_moves_one_is_made_and_the_rest_are_told() -> None:
    game = started_game(new_players(3))
    play_on(game, 1)
    player = whose_turn(game)
    legal = see_table(game, player).observation["legal"]
    tries = [legal[number % len(legal)] for number in range(HANDS)]
    answers = at_once([posting(game, player, action, 1) for action in tries])
    made = game.moves.get(number=2).action
    assert game.moves.count() == 2
    for action, answer in zip(tries, answers, strict=True):
        assert answer == (200 if action == made else 409)
    assert_sound(game)


def test_a_move_and_the_end_of_the_time_agree_on_what_came_first() -> None:
    game = started_game(new_players(3))
    mover, deadline = whose_turn(game), game.deadline
    assert deadline
    moved, late = at_once(
        [
            playing(game, mover, "turn:L", 0),
            lambda: play.time_out(game_id=game.pk, now=deadline),
        ]
    )
    actions = [move.action for move in game.moves.all()]
    if isinstance(moved, play.Stale):
        assert actions == ["timeout"]
    else:
        assert (actions, late) == (["turn:L", "timeout"], True)
    assert_sound(game)


def test_everybody_gives_up_at_once_and_one_remains() -> None:
    players = new_players(4)
    game = started_game(players)
    at_once(
        [
            partial(play.resign, game_id=game.pk, player=player, now=NOON)
            for player in players
            for _ in range(3)
        ]
    )
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert [move.action for move in game.moves.all()] == ["resign"] * 3
    assert sorted(seat.place or 0 for seat in game.seats.all()) == [1, 2, 3, 4]


def test_without_the_lock_the_race_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the same tries without the lock of the game do collide.

    Whoever read the game before another's move was written then tries to write a move of the
    same number, and only the constraint of the database is left to stop it. On SQLite the lock
    is the transaction itself, which is the only one that may write; so there the table is read
    before it begins.
    """
    game = started_game(new_players(3))
    player = whose_turn(game)
    read = Barrier(8)

    def without_lock(game_id: int, now: datetime) -> play.LockedGame:
        found = Game.objects.get(pk=game_id)
        seats = list(found.seats.select_related("player"))
        table = play.LockedGame(found, seats, list(found.moves.all()))
        read.wait(PATIENCE)
        return table

    def collide() -> object:
        if connection.vendor == "sqlite":
            table = without_lock(game.pk, NOON)
            play._append(table, table.seat_of(player, NOON), "turn:L", now=NOON)
            return None
        return playing(game, player, "turn:L", 0)()

    monkeypatch.setattr(play, "lock", without_lock)
    outcome = Counter(type(answer) for answer in at_once([collide] * 8))
    assert outcome[IntegrityError] + outcome[OperationalError] == 7
    assert game.moves.count() == 1
