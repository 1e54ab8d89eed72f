"""The pages of a table answer whoever they were made for, and nobody who has no part in it."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game, Seat
from tests.people import new_players, open_game, play_on, signed_in, started_game

pytestmark = pytest.mark.django_db


def test_a_page_that_was_made_for_another_player_is_told_nothing() -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    path, browser = f"{game.get_absolute_url()}changes/", signed_in(yasmin)
    for made_for, status in ((str(omar.pk), 401), ("", 401), (str(yasmin.pk), 200)):
        answer = browser.get(path, headers={"X-Player": made_for})
        assert answer.status_code == status, made_for
        assert bool(answer.content) == (status == 200)
    assert browser.get(path).status_code == 200, "where no script asks"
    assert Client().get(path, headers={"X-Player": str(yasmin.pk)}).status_code == 401
    assert Client().get(path, headers={"X-Player": ""}).status_code == 200


def test_only_those_who_sit_there_are_asked_whether_they_give_up() -> None:
    yasmin, omar, wei = new_players(3)
    game = started_game([yasmin, omar])
    path = f"{game.get_absolute_url()}resign/"
    assert signed_in(omar).get(path).status_code == 200
    assert signed_in(wei).get(path).status_code == 404
    assert signed_in(wei).post(path).status_code == 404
    assert Client().get(path).headers["Location"].startswith("/accounts/login/")
    assert not Seat.objects.exclude(left_by="").exists()


@pytest.mark.parametrize("part", ["told.json", "record.json", "story/"])
def test_of_a_game_that_has_not_started_there_is_nothing_to_tell(part: str) -> None:
    (yasmin,) = new_players(1)
    game = open_game(yasmin)
    assert signed_in(yasmin).get(f"{game.get_absolute_url()}{part}").status_code == 404


@pytest.mark.parametrize("part", ["talk", "notes", "star", "hint", "move", "go-on", "back"])
def test_nobody_else_does_anything_at_a_table_of_named_players(part: str) -> None:
    yasmin, omar, wei = new_players(3)
    game = started_game([yasmin, omar], visibility="named", invited=[omar])
    play_on(game, 1)
    form = {"text": "hello", "action": "turn:L", "on": "1"}
    answer = signed_in(wei).post(f"{game.get_absolute_url()}{part}/", form)
    assert answer.status_code == 404
    assert Game.objects.get(pk=game.pk).move_count == 1
    assert not game.messages.exists()
