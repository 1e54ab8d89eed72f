"""The same table once more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Game, Player
from games.services import blocks, lobby, play, seating
from games.services.errors import Refused
from tests.people import NOON, new_players, started_game

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(days=1)


def finished_game(players: list[Player], **wishes) -> Game:
    game = started_game(players, **wishes)
    for player in players[1:]:
        play.resign(game_id=game.pk, player=player, now=NOON)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    return game


def rematch(game: Game, player: Player, now=LATER) -> Game:
    return lobby.rematch(game_id=game.pk, player=player, now=now)


def test_the_others_click_joins_and_the_last_one_starts() -> None:
    players = new_players(3)
    game = finished_game(players, options={"turning": "after"}, visibility="link", rated=True)
    again = rematch(game, players[1])
    assert again.status == Game.Status.OPEN
    for fact in ("ruleset", "size", "options", "edition", "pace", "visibility", "rated"):
        assert getattr(again, fact) == getattr(game, fact)
    assert again.creator == players[1]
    assert again.commitment != game.commitment
    assert {each.player for each in again.invitations.all()} == {players[0], players[2]}
    assert rematch(game, players[1]) == again
    assert rematch(game, players[0]) == again
    assert rematch(game, players[2]) == again
    again.refresh_from_db()
    assert again.status == Game.Status.RUNNING
    assert {seat.number for seat in again.seats.all()} == {0, 1, 2}
    assert rematch(game, players[0]) == again


def test_strangers_cannot_take_the_seats_of_a_public_rematch() -> None:
    players = new_players(3)
    game = finished_game(players[:2])
    again = rematch(game, players[0])
    with pytest.raises(Refused, match="kept for invited"):
        lobby.join_game(game_id=again.pk, player=players[2], entropy="mint", now=LATER)


def test_only_players_of_a_finished_game_can_ask() -> None:
    yasmin, omar, ileana = new_players(3)
    running = started_game([yasmin, omar])
    with pytest.raises(Refused, match="is over"):
        rematch(running, yasmin)
    over = finished_game([yasmin, omar])
    with pytest.raises(Refused, match="players of this game"):
        rematch(over, ileana)
    assert Game.objects.count() == 2


def test_a_rematch_that_came_to_nothing_can_be_asked_for_again() -> None:
    yasmin, omar = new_players(2)
    game = finished_game([yasmin, omar])
    first = rematch(game, yasmin)
    lobby.cancel_game(game_id=first.pk, player=yasmin, now=LATER)
    second = rematch(game, omar)
    assert second != first
    third = rematch(game, yasmin, now=LATER + seating.OPEN_FOR)
    assert third not in (first, second)
    assert Game.objects.get(rematch_of=game) == third


def test_no_rematch_with_those_who_keep_apart_or_left() -> None:
    yasmin, omar, ileana = new_players(3)
    game = finished_game([yasmin, omar])
    blocks.block_player(blocker=omar, blocked=yasmin, now=NOON)
    for player in (yasmin, omar):
        with pytest.raises(Refused, match="do not play together"):
            rematch(game, player)
    other = finished_game([yasmin, ileana])
    Player.objects.filter(pk=ileana.pk).update(is_active=False)
    with pytest.raises(Refused, match="does not play here"):
        rematch(other, yasmin)


def test_a_rematch_has_every_term_of_the_game_it_repeats() -> None:
    """Each of them is other than what a game has that nobody chose anything for."""
    yasmin, omar = new_players(2)
    terms = {
        "options": {"turning": "after"},
        "pace": Game.Pace.RELAXED,
        "visibility": Game.Visibility.NAMED,
        "invited": [omar],
        "on_timeout": Game.OnTimeout.BOT,
        "fill_level": "merchant",
    }
    game = finished_game([yasmin, omar], **terms)
    again = rematch(game, yasmin)
    same = ("ruleset", "size", "options", "edition", "pace", "visibility", "on_timeout")
    for term in (*same, "fill_level", "rated"):
        assert getattr(again, term) == getattr(game, term), term
    assert again.options["turning"] == "after"
    assert (again.pace, again.on_timeout, again.fill_level) == ("relaxed", "bot", "merchant")
    assert (again.rematch_of, again.status) == (game, Game.Status.OPEN)
    rated = rematch(finished_game([yasmin, omar], rated=True), omar)
    assert (rated.rated, rated.creator) == (True, omar)
    other = rematch(finished_game([yasmin, omar], ruleset="ifrito"), omar)
    assert other.ruleset == "ifrito"
