"""What pages tell: move by move, small, and true to the positions between."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import titles
from games.models import Game
from games.selectors.table import see_table
from games.selectors.telling import MOST_TURNS, story, whole_story
from tests.people import new_players, play_on, started_game, whose_turn

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]

FOUR_TURNS = 15_000
WHOLE_GAME = 20_000


def told(text: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(str(text))
    return found


@pytest.mark.parametrize("ruleset", ["marrakech", "ifrito"])
def test_the_little_that_changes_adds_up_to_every_position(ruleset: str) -> None:
    game = started_game(new_players(4), ruleset=ruleset)
    play_on(game, 40, pick=3)
    whole = told(whole_story(see_table(game, None)))
    teller = titles.brings(ruleset, "story", "TELLER")
    pieces = {piece[0]: piece for piece in whole["pieces"]}
    counts = whole["counts"]
    for move in whole["moves"]:
        for key in move["take"]:
            del pieces[key]
        pieces |= {piece[0]: piece for piece in move["put"]}
        for name, values in move["counts"].items():
            for seat, value in values.items():
                counts[name][int(seat)] = value
        table = see_table(game, None, at=move["n"])
        assert list(pieces.values()) == sorted(
            (piece.as_list() for piece in teller.pieces(table.observation)),
            key=lambda piece: list(pieces).index(piece[0]),
        )
        rules = table.position.rules
        for name, values in rules.counts(table.position.state).items():
            assert counts[name] == list(values)
    assert [move["n"] for move in whole["moves"]] == list(range(1, 41))


@pytest.mark.parametrize("ruleset", ["marrakech", "ifrito"])
def test_four_turns_and_a_whole_game_are_small(ruleset: str) -> None:
    game = started_game(new_players(4), ruleset=ruleset, options={})
    number = 0
    while game.status == Game.Status.RUNNING and number < 110:
        play_on(game, 1, pick=number % 5)
        number += 1
    table = see_table(game, None)
    last = table.turns[-4].first - 1
    assert len(str(story(table, last)).encode()) <= FOUR_TURNS, "uncompressed"
    assert len(gzip.compress(str(whole_story(table)).encode())) <= WHOLE_GAME


def test_who_was_away_for_long_is_told_the_last_turns(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 60)
    table = see_table(game, whose_turn(game))
    moves = told(story(table, 0))["moves"]
    assert len(moves) == 2 * MOST_TURNS
    assert story(table, 60) is None
    assert "</" not in str(story(table, 0)), "nothing in it ends the element it stands in"


def test_a_page_tells_what_its_reader_missed_once(browse: Browse) -> None:
    game = started_game(new_players(2))
    player = whose_turn(game)
    play_on(game, 2)
    client = browse(player)
    client.get(game.get_absolute_url())
    play_on(game, 2)
    first, again = (client.get(game.get_absolute_url()).content.decode() for _ in range(2))
    assert "data-untold" in first
    assert '<template id="story">' in first
    assert "data-untold" not in again
    assert '<template id="story">' not in again
    assert '<template id="story">' not in browse(None).get(game.get_absolute_url()).content.decode()


def test_the_whole_game_in_one_go_is_for_whoever_may_see_it(browse: Browse) -> None:
    players = new_players(2)
    named = started_game(players, visibility=Game.Visibility.NAMED, invited=players[1:])
    play_on(named, 4)
    address = reverse("told", args=[named.public_id])
    assert browse(None).get(address).status_code == 404
    assert len(browse(players[0]).get(address).json()["moves"]) == 4
