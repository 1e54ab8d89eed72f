"""Games that end at the same moment: nothing is lost, and the order is kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from games.models import Game, Player, Rating, Shelf
from games.services import play, stats
from tests.history.archive import people, stored_game
from tests.people import NOON

GAMES = 6


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_games_of_the_same_players_that_end_at_once_all_count() -> None:
    players = people("yasmin", "omar", "wei")
    games = [stored_game(players, seed=seed, until=18) for seed in range(GAMES)]
    leavers = [
        (game.pk, player)
        for number, game in enumerate(games)
        for player in (players[number % 3], players[(number + 1) % 3])
    ]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(give_up, leavers))
    assert Game.objects.filter(status=Game.Status.OVER).count() == GAMES
    assert sum(shelf.games for shelf in Shelf.objects.all()) == GAMES
    assert {rating.games for rating in Rating.objects.all()} == {GAMES}
    ends = Game.objects.order_by("ended_at").values_list("ended_at", flat=True)
    assert len(set(ends)) == GAMES, "of the games of one player, each ends at a time of its own"
    assert stats.differences(stats.recount()) == []


def give_up(leaver: tuple[int, Player]) -> None:
    game_id, player = leaver
    try:
        play.resign(game_id=game_id, player=player, now=NOON)
    finally:
        connections.close_all()
