"""A finished game, looked back at."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from games.models import Game, Player, Seat
from tests.history.archive import HOUR, given_up, people, stored_game
from tests.people import NOON, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def players() -> list[Player]:
    return people("yasmin", "omar")


def test_a_story_tells_what_stood_out_and_leads_to_it(client: Client, players: Any) -> None:
    game = stored_game(players, seed=4)
    page = client.get(reverse("story", args=[game.public_id]))
    story = page.context["story"]
    payments = {
        move.number: move.facts["paid"]["amount"]
        for move in game.moves.all()
        if move.facts.get("paid")
    }
    payment = next(each for each in story.moments if each.label == "Highest payment")
    assert payment.value == max(payments.values()) == game.highest
    assert payment.move == next(n for n, paid in payments.items() if paid == payment.value)
    assert f"?move={payment.move}" in page.content.decode()
    assert (story.margin, story.comeback) == (game.margin, game.comeback)
    assert sum(each.moves for each in story.ahead) <= game.move_count + 1
    points = story.tables[0]
    assert len(points.rows) == game.move_count + 1
    assert list(points.rows[-1][1]) == (game.result or {})["points"]
    assert "Your other games like this one" not in page.content.decode()


def test_a_story_leads_to_own_games_of_the_same_kind(players: Any) -> None:
    yasmin, omar = players
    game = given_up(yasmin, omar)
    given_up(yasmin, omar, edition="polish", ended_at=NOON + HOUR)
    client = signed_in(omar)
    page = client.get(reverse("story", args=[game.public_id])).content.decode()
    mine = reverse("my_archive")
    assert f"{mine}?edition=marrakech/international" in page
    assert f"{mine}?opponent=yasmin" in page
    seat = game.seats.get(player=omar).number or 0
    assert f"&amp;seat={seat + 1}" in page

    def found(**query: str) -> int:
        return len(client.get(mine, query).context["page"].rows)

    assert found(seat=str(seat + 1)) == 2
    assert found(seat=str(2 - seat)) == 0
    assert found(edition="marrakech/international") == 1


@pytest.mark.both_databases
def test_a_story_leads_to_own_games_that_began_the_same_way(players: Any) -> None:
    yasmin, omar = players
    games = [given_up(yasmin, omar, ended_at=NOON + n * HOUR, rated=False) for n in range(3)]
    stored_game([yasmin, omar], seed=4, ended_at=NOON + 4 * HOUR)
    # The third one went another way after the first move.
    first, rolled, *_ = games[2].opening.split("/")
    other = f"{first}/{rolled}/0elsewhere"
    Game.objects.filter(pk=games[2].pk).update(opening=other)
    Seat.objects.filter(game=games[2]).update(opening=other)
    client = signed_in(omar)
    page = client.get(reverse("story", args=[games[0].public_id]))
    shared = page.context["beginning"]
    assert (shared.path, shared.games) == (games[0].opening, 1)
    mine = reverse("my_archive")
    query = {"game": "marrakech", "size": "2", "opening": shared.path}
    assert escape(f"{mine}?{urlencode(query, safe='/')}") in page.content.decode()

    def found(path: str) -> list[Game]:
        rows = client.get(mine, {**query, "opening": path}).context["page"].rows
        return [row.game for row in rows]

    assert found(shared.path) == games[1::-1]
    assert found(f"{first}/{rolled}") == games[::-1]
    assert found("0nowhere") == []
    third = client.get(reverse("story", args=[games[2].public_id])).context["beginning"]
    assert (third.path, third.moves, third.games) == (f"{first}/{rolled}", 1, 2)
    assert Client().get(mine.replace("mine/", ""), query).context["page"].rows, "it is no filter"


def test_only_what_is_over_and_may_be_seen_has_a_story(client: Client, players: Any) -> None:
    running = stored_game(players, seed=1, until=9)
    assert client.get(reverse("story", args=[running.public_id])).status_code == 302
    secret = given_up(*players, visibility="named", ended_at=NOON + HOUR)
    assert client.get(reverse("story", args=[secret.public_id])).status_code == 404
    left = given_up(*players, ended_at=NOON + 2 * HOUR)
    story = client.get(reverse("story", args=[left.public_id])).context["story"]
    assert (story.changes, story.ahead) == (None, ())
