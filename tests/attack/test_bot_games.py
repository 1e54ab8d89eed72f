"""One limit for every way to a game against bots, and no thought for a table without people."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Game, Player, Seat
from games.services import bots, limits, lobby, play
from tests.people import NOON, new_player, open_game

pytestmark = pytest.mark.django_db
CHOICE = {"game": "marrakech", "opponents": "1", "level": "apprentice"}


def against_bots(player: Player, **wishes: Any) -> Game:
    terms: dict[str, Any] = {"ruleset": "marrakech", "opponents": 1, "level": "apprentice"}
    return lobby.play_against_bots(player=player, now=NOON, **{**terms, **wishes})


def test_resigning_and_a_rematch_pass_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(limits.LIMITS, "bot_game", {"network": limits.Limit(3, limits.HOUR)})
    client = Client()
    address = client.post("/play/", CHOICE)["Location"]
    for _ in range(2):
        client.post(f"{address}resign/")
        address = client.post(f"{address}rematch/")["Location"]
    client.post(f"{address}resign/")
    again = client.post(f"{address}rematch/", follow=True)
    assert again.redirect_chain[-1][0] == address
    assert Game.objects.count() == 3
    assert client.post("/play/", CHOICE).status_code == 429


def test_nor_does_an_open_game_that_bots_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    yasmin = new_player("Yasmin")
    monkeypatch.setitem(limits.LIMITS, "bot_game", {"sender": limits.Limit(2, limits.HOUR)})
    against_bots(yasmin)
    for outcome in (True, False):
        game = open_game(yasmin, fill_level="apprentice")
        try:
            lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
        except limits.TooOften:
            assert not outcome
    assert Game.objects.filter(status=Game.Status.RUNNING).count() == 2


def test_a_table_without_people_is_finished_by_the_cheapest_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    choose = bots._choose

    def watched(level: str, *args: Any) -> str:
        asked.append(level)
        return choose("apprentice", *args)

    monkeypatch.setattr(bots, "_choose", watched)
    yasmin = new_player("Yasmin")
    game = against_bots(yasmin, opponents=3, level="vizier")
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    bots.play_due(clock=lambda: NOON)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert asked
    assert set(asked) == {"apprentice"}


def test_the_word_is_asked_for_or_said_to_be_drawn() -> None:
    client = Client()
    own = client.post("/play/", {**CHOICE, "entropy": "my-own-word"})["Location"]
    assert list(words(own)) == [("my-own-word", False)]
    drawn = client.post("/play/", CHOICE)["Location"]
    ((_, was_drawn),) = words(drawn)
    assert was_drawn
    assert client.post("/play/", {**CHOICE, "entropy": "two words"}).status_code == 422
    client.post(f"{own}resign/")
    again = client.post(f"{own}rematch/", {"entropy": "another"})["Location"]
    assert list(words(again)) == [("another", False)]
    assert 'name="entropy"' in client.get("/play/").content.decode()


def words(address: str) -> list[tuple[str, bool]]:
    seats = Seat.objects.filter(game__public_id=address.split("/")[-2], player__bot_level="")
    return list(seats.values_list("entropy", "word_drawn"))
