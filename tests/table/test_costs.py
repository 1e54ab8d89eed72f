"""How many queries, replays and bytes a table costs, however long the game."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import BotLevel, Game, Notice, Player
from games.selectors.course import course_of
from games.selectors.replays import kept_line
from games.selectors.table import see_table
from games.services import blocks, bots, lobby, play, table_talk, vacation
from games.services.notices import subscriptions
from games.titles import TITLES
from tests.people import NOON, new_players, play_on, started_game, whose_turn

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]

PAGE_QUERIES = 8
MOVE_QUERIES = 14
HTMX = {"HX-Request": "true"}
FIRST_VISIT = 110_000
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


@dataclass
class Replays:
    """How often games were started anew in the engine, and how many decisions were made."""

    starts: int = 0
    decisions: int = 0


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> Replays:
    count = Replays()

    def counted(rules: type, name: str, what: str) -> None:
        real = getattr(rules, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            setattr(count, what, getattr(count, what) + 1)
            return real(*args, **kwargs)

        monkeypatch.setattr(rules, name, counting)

    for title in TITLES.values():
        counted(type(title.rules), "start", "starts")
        counted(type(title.rules), "decide", "decisions")
        counted(type(title.rules), "leave", "decisions")
    return count


def test_the_page_takes_eight_queries_at_most_whatever_was_played(
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


def answer(client: Client, game: Game, action: str) -> list[str]:
    """The queries of a move that HTMX sends."""
    with CaptureQueriesContext(connection) as queries:
        data = {"action": action, "on": str(game.move_count), "since": "0"}
        response = client.post(f"{game.get_absolute_url()}move/", data, headers=HTMX)
        assert response.status_code == 200, response.content.decode()
    game.refresh_from_db()
    return [query["sql"] for query in queries]


def costs_of_a_round(browse: Browse, game: Game) -> list[int]:
    """The queries of each move until everybody has moved, and of the pages in between."""
    moves, pages = [], []
    for _ in range(3 * game.size):
        player = whose_turn(game)
        if player.bot_level:
            play_on(game, 1, now=timezone.now())
        else:
            legal = see_table(game, player).observation["legal"]
            moves.append(len(answer(browse(player), game, legal[0])))
        pages += [
            len(queries_of(browse(seat.player), game.get_absolute_url()))
            for seat in game.seats.all()
            if not seat.player.bot_level
        ]
        if game.status == Game.Status.OVER:
            break
    assert max(pages) <= PAGE_QUERIES
    return moves


def test_a_move_takes_fourteen_queries_at_most_whatever_is_around_it(
    browse: Browse, talkative: Game
) -> None:
    """With a long talk, notes, blocks, vacations, mail in all its forms, and mail that was sent."""
    now = timezone.now()
    yasmin, omar, ileana, wei = (seat.player for seat in talkative.seats.order_by("joined"))
    blocks.block_player(blocker=yasmin, blocked=omar, now=now)
    for player in (omar, ileana):
        begin = now + timedelta(days=1)
        vacation.take_vacation(player=player, start=begin, end=begin + timedelta(days=2), now=now)
    subscriptions.change_wishes(
        player=wei, mail=Player.Mail.DIGEST, digest_hour=8, reminders=True, now=now
    )
    Notice.objects.update(state=Notice.State.SENT)
    assert max(costs_of_a_round(browse, talkative)) <= MOVE_QUERIES
    play_on(talkative, 60, pick=1)
    assert talkative.status == Game.Status.RUNNING
    assert max(costs_of_a_round(browse, talkative)) <= MOVE_QUERIES


@pytest.mark.parametrize("ruleset", list(TITLES))
def test_a_move_against_bots_takes_fourteen_queries_at_most(browse: Browse, ruleset: str) -> None:
    yasmin = new_players(1)[0]
    now = timezone.now()
    game = lobby.play_against_bots(
        player=yasmin, ruleset=ruleset, opponents=3, level=BotLevel.MERCHANT, now=now
    )
    while whose_turn(game) != yasmin:
        play_on(game, 1, now=now)
    bots.ask_for_hint(game_id=game.pk, player=yasmin, now=now)
    assert len(queries_of(browse(yasmin), game.get_absolute_url())) <= PAGE_QUERIES
    assert max(costs_of_a_round(browse, game)) <= MOVE_QUERIES


def test_the_page_of_a_seat_that_a_bot_plays_takes_no_more(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar], on_timeout=Game.OnTimeout.BOT)
    late = whose_turn(game)
    assert game.deadline
    play.time_out(game_id=game.pk, now=game.deadline)
    for player in (yasmin, omar, None):
        assert len(queries_of(browse(player), game.get_absolute_url())) <= PAGE_QUERIES
    assert "plays on for you" in browse(late).get(game.get_absolute_url()).content.decode()


def test_a_finished_game_with_a_rematch_takes_no_more(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    play.resign(game_id=game.pk, player=omar, now=NOON)
    lobby.rematch(game_id=game.pk, player=omar, now=NOON)
    for player in (yasmin, omar, None):
        assert len(queries_of(browse(player), game.get_absolute_url())) <= PAGE_QUERIES
    assert "Omar wants a rematch" in browse(yasmin).get(game.get_absolute_url()).content.decode()


@pytest.mark.parametrize("ruleset", list(TITLES))
def test_what_was_replayed_is_not_played_again(
    browse: Browse, replays: Replays, ruleset: str
) -> None:
    players = new_players(2)
    game = started_game(players, ruleset=ruleset, pace=Game.Pace.NONE)
    play_on(game, 12)
    browse(players[0]).get(game.get_absolute_url())
    play_on(game, 3)
    replays.starts = replays.decisions = 0
    browse(players[1]).get(game.get_absolute_url())
    assert replays.starts == 0
    assert replays.decisions <= 3


def test_a_game_that_went_another_way_is_replayed_from_where_it_parted() -> None:
    game = started_game(new_players(2), ruleset="marrakech", pace=Game.Pace.NONE)
    play_on(game, 5)
    known = course_of(game)
    legal = known.at(4).observe(known.moves[4].seat)["legal"]
    other = next(action for action in legal if action != known.moves[4].action)
    last = game.moves.get(number=5)
    last.action = other
    last.save()
    parted = course_of(game)
    kept_line.cache_clear()
    fresh = course_of(game)
    assert list(parted.played) == list(fresh.played)
    assert parted.played[:4] == known.played[:4]
    assert parted.end.state != known.end.state


@pytest.mark.parametrize("ruleset", list(TITLES))
def test_a_request_replays_a_game_at_most_once(
    browse: Browse, replays: Replays, ruleset: str
) -> None:
    players = new_players(2)
    game = started_game(players, ruleset=ruleset, pace=Game.Pace.NONE)
    play_on(game, 12)
    url = game.get_absolute_url()

    def replayed(ask: Callable[[Client], Any], client: Client, moves: int) -> None:
        kept_line.cache_clear()
        replays.starts = replays.decisions = 0
        assert ask(client).status_code == 200
        assert replays.starts <= 1
        assert replays.decisions <= moves

    for path in ("", "?move=3", "changes/?on=4", "record.json", "picture.png"):
        replayed(lambda client, path=path: client.get(url + path), browse(players[0]), 12)  # type: ignore[misc]
    mover = whose_turn(game)
    data = {"action": see_table(game, mover).observation["legal"][0], "on": "12"}
    send = partial(Client.post, path=f"{url}move/", data=data, headers=HTMX)
    replayed(lambda client: send(client), browse(mover), 13)
    replayed(lambda client: send(client), browse(mover), 13)
    bad = partial(Client.post, path=f"{url}move/", data={"action": "x", "on": "13"}, headers=HTMX)
    kept_line.cache_clear()
    replays.starts = 0
    assert bad(browse(mover)).status_code == 422
    assert replays.starts <= 1
    play.resign(game_id=game.pk, player=players[0], now=NOON)
    for path in ("", "proof/", "record.json"):
        replayed(lambda client, path=path: client.get(url + path), browse(players[1]), 14)  # type: ignore[misc]


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
    for _ in range(2):
        on = str(talkative.move_count)
        legal = see_table(talkative, player).observation["legal"]
        data = {"action": legal[0], "on": on, "since": "0"}
        sent = client.post(f"{url}move/", data, headers=HTMX)
        assert sent.status_code == 200
        assert compressed(sent.content) <= ANSWER
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
        weights[address] = compressed(content)
        # Fonts of rarer letters are left to `test_weight`, which asks a browser.
        if path.endswith(".css") and not path.endswith("fonts.css"):
            for picture in re.findall(r'url\("(.+?)"\)', content.decode()):
                weights[picture] = compressed((Path(path).parent / picture).read_bytes())
    icon = re.search(r'id="favicon"[^>]*href="([^"]+)"', html)
    assert icon
    weights["favicon.svg"] = compressed(client.get(icon[1]).content)
    return weights
