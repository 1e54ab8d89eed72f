"""How many queries and bytes a table costs, however long the game."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Player
from games.selectors.table import see_table
from games.services import table_talk
from tests.people import NOON, new_players, play_on, started_game, whose_turn

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]

PAGE_QUERIES = 10
FIRST_VISIT = 70_000
ANSWER = 15_000


@pytest.fixture
def talkative() -> Game:
    """A game with a lot around it, at move 10; named players, so that access is looked up too."""
    players = new_players(4)
    game = started_game(
        players,
        options={"insolvency": "play_on"},
        visibility=Game.Visibility.NAMED,
        invited=players[1:],
        pace=Game.Pace.DAILY,
    )
    for number in range(8):
        for player in players:
            text = f"Line {number} of a long talk about rugs and dirhams, by {player}"
            table_talk.post_message(game=game, player=player, text=text, now=NOON)
    for player in players:
        table_talk.keep_notes(game=game, player=player, text="Keep away from the corner. " * 20)
    play_on(game, 10)
    return game


def queries_of(client: Client, url: str) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return [query["sql"] for query in queries]


def compressed(content: bytes) -> int:
    return len(gzip.compress(content))


def viewers(game: Game) -> list[Player]:
    mover = whose_turn(game)
    other = next(seat.player for seat in game.seats.all() if seat.player != mover)
    return [mover, other]


def test_the_page_takes_ten_queries_at_most_whatever_was_played(
    browse: Browse, talkative: Game
) -> None:
    url = talkative.get_absolute_url()

    def counts() -> list[int]:
        return [
            len(queries_of(browse(viewer), f"{url}{query}"))
            for viewer in viewers(talkative)
            for query in ("", "?move=3")
        ]

    early = counts()
    assert max(early) <= PAGE_QUERIES
    play_on(talkative, 80, pick=1)
    assert talkative.status == Game.Status.RUNNING
    assert max(counts()) <= max(early)
    play_on(talkative, 96 - talkative.move_count, pick=1)
    over = browse(talkative.seats.get(number=0).player)
    assert len(queries_of(over, url)) <= PAGE_QUERIES


def test_a_first_visit_and_every_answer_are_light(browse: Browse, talkative: Game) -> None:
    play_on(talkative, 80, pick=1)
    assert talkative.status == Game.Status.RUNNING
    while talkative.to_act_kind != "turn":
        play_on(talkative, 1, pick=1)
    player = whose_turn(talkative)
    client = browse(player)
    url = talkative.get_absolute_url()
    page = client.get(url).content
    weights = {"page": compressed(page), **assets(client, page.decode())}
    assert {"css", "js", "svg"} <= {name.rpartition(".")[2] for name in weights}
    assert sum(weights.values()) <= FIRST_VISIT, weights
    htmx = {"HX-Request": "true"}
    for _ in range(2):
        on = str(talkative.move_count)
        legal = see_table(talkative, player).observation["legal"]
        data = {"action": legal[0], "on": on, "since": "0"}
        answer = client.post(f"{url}move/", data, headers=htmx)
        assert answer.status_code == 200
        assert compressed(answer.content) <= ANSWER
        talkative.refresh_from_db()
    # The most that a poll can bring: a whole game, and all that was said.
    news = browse(None if talkative.visibility == Game.Visibility.PUBLIC else player)
    assert compressed(news.get(f"{url}changes/?on=0&since=0").content) <= ANSWER


def assets(client: Client, html: str) -> dict[str, int]:
    """What a browser fetches for a page, compressed as the web server would send it."""
    weights = {}
    addresses = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html))
    for address in addresses:
        path = finders.find(address.removeprefix("/static/"))
        assert isinstance(path, str), address
        with open(path, "rb") as file:
            content = file.read()
        assert b"url(" not in content or not path.endswith(".css"), "count what it loads, too"
        weights[address] = compressed(content)
    icon = re.search(r'id="favicon"[^>]*href="([^"]+)"', html)
    assert icon
    weights["favicon.svg"] = compressed(client.get(icon[1]).content)
    return weights
