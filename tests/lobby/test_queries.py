"""A list of thirty games costs as many queries as one of three."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Player
from games.services import play
from tests.people import new_player, open_game, play_on, signed_in, started_game

pytestmark = pytest.mark.django_db


def fill(player: Player, rival: Player, host: Player, count: int) -> None:
    """So many games in every list of the player."""
    now = timezone.now()
    for _ in range(count):
        for mover in (player, rival):
            game = started_game([player, rival], now=now)
            play_on(game, 2, now=now)
            Game.objects.filter(pk=game.pk).update(to_act=game.seats.get(player=mover))
        over = started_game([player, rival], now=now)
        play.resign(game_id=over.pk, player=rival, now=now)
    for _ in range(min(count, 9)):
        open_game(player, now=now)
        open_game(host, now=now)
        open_game(host, visibility="named", invited=[player], now=now)


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


@pytest.mark.parametrize(
    ("url", "ceiling"),
    [("/", 13), ("/games/", 8), ("/games/mine/turn/", 8), ("/players/Yasmin/", 15)],
)
def test_queries_do_not_grow_with_the_rows(url: str, ceiling: int) -> None:
    yasmin, omar, host = (new_player(name) for name in ("Yasmin", "Omar", "Host"))
    client = signed_in(yasmin)
    fill(yasmin, omar, host, 2)
    few = queries(client, url)
    fill(yasmin, omar, host, 7)
    many = queries(client, url)
    assert many == few
    assert many <= ceiling


def test_a_visitor_costs_no_more() -> None:
    yasmin, omar, host = (new_player(name) for name in ("Yasmin", "Omar", "Host"))
    fill(yasmin, omar, host, 1)
    few = queries(Client(), "/")
    fill(yasmin, omar, host, 5)
    assert queries(Client(), "/") == few <= 6
