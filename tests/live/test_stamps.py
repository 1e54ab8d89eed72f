"""What open pages show, as stamps: one query for all of them, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import bell
from games.models import Game
from games.selectors.stamps import home_stamp, stamps_of
from games.selectors.table import current_stamp
from games.services import lobby, play
from tests.people import NOON, new_players, open_game, play_on, started_game

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_one_query_tells_of_all_pages() -> None:
    yasmin, omar, ileana = new_players(3)
    running = started_game([yasmin, omar])
    waiting = open_game(yasmin, 3, invited=[ileana])
    topics = [bell.game_topic(game.public_id) for game in (running, waiting)]
    topics += [bell.home_topic(player.pk) for player in (yasmin, omar, ileana)]
    with CaptureQueriesContext(connection) as queries:
        stamps = stamps_of([*topics, bell.game_topic("nowhere")])
    assert len(queries) == 1
    assert set(stamps) == set(topics)
    assert stamps[topics[0]] == current_stamp(running.public_id)
    assert stamps[topics[2]] == home_stamp(yasmin)
    assert stamps_of([]) == {}


def test_a_stamp_changes_with_what_its_page_shows_and_only_then() -> None:
    yasmin, omar, ileana = new_players(3)
    game = open_game(yasmin, 2, visibility=Game.Visibility.NAMED, invited=[omar])
    pages = {
        "table": bell.game_topic(game.public_id),
        "omar": bell.home_topic(omar.pk),
        "ileana": bell.home_topic(ileana.pk),
    }

    def changed(happens) -> set[str]:
        before = stamps_of(pages.values())
        happens()
        after = stamps_of(pages.values())
        return {name for name, topic in pages.items() if before[topic] != after[topic]}

    both = {"table", "omar"}
    join: dict[str, Any] = {"game_id": game.pk, "player": omar, "now": NOON}
    assert changed(lambda: lobby.decline_invitation(**join)) == both
    assert changed(lambda: lobby.join_game(**join, entropy="mint")) == both
    assert changed(lambda: play_on(game, 1)) == both
    assert changed(lambda: None) == set()
    assert changed(lambda: play.resign(game_id=game.pk, player=yasmin, now=NOON)) == both
    again = lobby.rematch(game_id=game.pk, player=omar, now=NOON)
    assert changed(lambda: lobby.cancel_game(game_id=again.pk, player=omar, now=NOON)) == both
