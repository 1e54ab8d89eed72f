"""Many hands reach for the same thing: one gets it, the rest are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import pytest
from django.db import IntegrityError

from games.models import Game, Player
from games.services import blocks, commitments, lobby, play, seating
from games.services.errors import Refused
from tests.hands import at_once
from tests.people import NOON, new_player, new_players, open_game, started_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

T = TypeVar("T")


def joining(game: Game, player: Player) -> Callable[[], Game]:
    return lambda: lobby.join_game(game_id=game.pk, player=player, entropy="mint", now=NOON)


def test_the_last_seat_is_taken_once() -> None:
    game = open_game(new_player("Host"))
    rivals = [new_player(f"Guest{number}") for number in range(12)]
    answers = at_once([joining(game, player) for player in rivals])
    game.refresh_from_db()
    assert [type(answer) for answer in answers].count(Game) == 1
    assert [type(answer) for answer in answers].count(Refused) == 11
    assert game.status == Game.Status.RUNNING
    assert {seat.number for seat in game.seats.all()} == {0, 1}


def test_every_seat_is_taken_once() -> None:
    game = open_game(new_player("Host"), 4)
    rivals = [new_player(f"Guest{number}") for number in range(8)]
    answers = at_once([joining(game, player) for player in rivals])
    assert [type(answer) for answer in answers].count(Game) == 3
    assert sorted(seat.joined for seat in game.seats.all()) == [0, 1, 2, 3]
    assert {seat.number for seat in game.seats.all()} == {0, 1, 2, 3}


def test_one_player_takes_one_seat() -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin, 4)
    answers = at_once([joining(game, omar)] * 8)
    assert answers == [game] * 8
    assert [seat.player for seat in game.seats.order_by("joined")] == [yasmin, omar]


def test_the_database_alone_keeps_a_seat_single(monkeypatch) -> None:
    """Even where somebody forgets the lock."""
    monkeypatch.setattr(seating, "locked", lambda game_id: Game.objects.get(pk=game_id))
    game = open_game(new_player("Host"))
    rivals = [new_player(f"Guest{number}") for number in range(8)]
    answers = at_once([joining(game, player) for player in rivals])
    assert [type(answer) for answer in answers].count(Game) == 1
    assert game.seats.count() == 2


def test_leaving_and_joining_never_leave_a_gap() -> None:
    game = open_game(new_player("Host"), 4)
    first, second, third = (new_player(f"Guest{number}") for number in range(3))
    joining(game, first)()
    joining(game, second)()
    at_once(
        [
            lambda: lobby.leave_game(game_id=game.pk, player=first, now=NOON),
            joining(game, third),
        ]
    )
    joined = {seat.joined for seat in game.seats.all()}
    assert joined == set(range(game.seats.count()))
    assert game.seats.filter(player=second).exists()


def test_cancelling_and_joining_agree_on_what_happened() -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin)
    cancelled, joined = at_once(
        [
            lambda: lobby.cancel_game(game_id=game.pk, player=yasmin, now=NOON),
            joining(game, omar),
        ]
    )
    game.refresh_from_db()
    if game.status == Game.Status.RUNNING:
        assert isinstance(cancelled, Refused)
    else:
        assert game.status == Game.Status.CANCELLED
        assert isinstance(joined, Refused)


def test_expiry_spares_a_game_that_just_started() -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin)
    at_once(
        [
            lambda: lobby.expire_open_games(now=NOON + seating.OPEN_FOR),
            joining(game, omar),
        ]
    )
    game.refresh_from_db()
    assert (game.status, game.seats.count()) in [("running", 2), ("expired", 1)]


def test_everybody_lands_in_the_same_rematch() -> None:
    yasmin, omar, ileana = players = new_players(3)
    game = started_game(players)
    for player in (omar, ileana):
        play.resign(game_id=game.pk, player=player, now=NOON)
    answers = at_once(
        [
            partial(lobby.rematch, game_id=game.pk, player=player, now=NOON)
            for player in (*players, *players)
        ]
    )
    again = Game.objects.get(rematch_of=game)
    assert answers == [again] * 6
    assert again.status == Game.Status.RUNNING
    assert {seat.player for seat in again.seats.all()} == {yasmin, omar, ileana}


def opening(players: list[Player], ticket: str) -> list[Callable[[], Game]]:
    return [partial(open_game, player, ticket=ticket) for player in players]


def test_a_commitment_opens_one_game() -> None:
    players = [new_player(f"Host{number}") for number in range(6)]
    answers = at_once(opening(players, commitments.new_ticket(now=NOON)))
    game = Game.objects.get()
    assert answers.count(game) == 1
    refusals = [answer for answer in answers if isinstance(answer, commitments.Used)]
    assert [refusal.game for refusal in refusals] == [game] * 5


def test_without_one_commitment_for_all_each_opens_a_game() -> None:
    players = [new_player(f"Host{number}") for number in range(6)]
    answers = at_once(opening(players, ""))
    assert [type(answer) for answer in answers].count(Game) == 6


def test_the_database_alone_keeps_a_commitment_single(monkeypatch) -> None:
    """Even where every request believes that it is the first."""
    ticket = commitments.new_ticket(now=NOON)
    seed = commitments.seed_of(ticket, now=NOON)
    monkeypatch.setattr(commitments, "seed_of", lambda ticket, now: seed)
    answers = at_once(opening([new_player(f"Host{number}") for number in range(6)], ticket))
    assert answers.count(Game.objects.get()) == 1
    assert [type(answer) for answer in answers].count(IntegrityError) == 5


def test_a_block_and_a_join_never_both_win() -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin, 3)
    at_once(
        [
            lambda: blocks.block_player(blocker=yasmin, blocked=omar, now=NOON),
            joining(game, omar),
        ]
    )
    assert [seat.player for seat in game.seats.all()] == [yasmin]


def test_nobody_opens_more_games_than_allowed() -> None:
    yasmin = new_player("Yasmin")
    for _ in range(lobby.MAX_OPEN_GAMES - 1):
        open_game(yasmin)
    at_once([lambda: open_game(yasmin)] * 6)
    assert yasmin.games_created.count() == lobby.MAX_OPEN_GAMES
