"""What an open page learns, what a returning player is told, and what idle pages cost."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game, Player, Seat
from games.selectors import table as tables
from games.services import lobby, play, table_talk
from tests.people import NOON, new_player, new_players, play_on, started_game, whose_turn

pytestmark = pytest.mark.django_db
Browse = Callable[..., Client]


def polled_address(html: str) -> str:
    found = re.search(r'id="live"[^>]* hx-get="([^"]+)"', html)
    assert found
    return found[1].replace("&amp;", "&")


def open_page(client: Client, game: Game, query: str = "") -> str:
    return client.get(f"{game.get_absolute_url()}{query}").content.decode()


def waiting_player(game: Game) -> Player:
    return next(seat.player for seat in game.seats.all() if seat.player != whose_turn(game))


def test_an_idle_poll_costs_one_query_and_asks_for_nobody(browse: Browse) -> None:
    game = started_game(new_players(2))
    table_talk.post_message(game=game, player=whose_turn(game), text="hello", now=NOON)
    for viewer in (whose_turn(game), None):
        client = browse(viewer)
        address = polled_address(open_page(client, game))
        with CaptureQueriesContext(connection) as queries:
            response = client.get(address)
        assert (response.status_code, response.content) == (204, b"")
        assert len(queries) == 1
        assert "session" not in queries[0]["sql"]
        assert not response.wsgi_request.session.accessed
        assert not hasattr(response.wsgi_request, "_cached_user")
        assert not response.cookies


def test_an_idle_poll_costs_the_same_after_many_moves_and_words(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 20)
    for player in [seat.player for seat in game.seats.all()] * 4:
        table_talk.post_message(game=game, player=player, text="hello", now=NOON)
    address = polled_address(open_page(browse(None), game))
    with CaptureQueriesContext(connection) as queries:
        assert browse(None).get(address).status_code == 204
    assert len(queries) == 1


def test_a_move_of_somebody_else_arrives(browse: Browse) -> None:
    game = started_game(new_players(2))
    mover = whose_turn(game)
    client = browse(waiting_player(game))
    address = polled_address(open_page(client, game))
    play_on(game, 1)
    html = client.get(address).content.decode()
    assert re.search(r'id="table"\s+hx-swap-oob="true"', html)
    assert '"do":"walk"' in html
    announced = html[html.index('id="announcement"') :]
    assert f"<b>{mover}</b> turned left, rolled" in announced[: announced.index("</p>")]
    assert client.get(polled_address(html)).status_code == 204
    play_on(game, 1)
    html = client.get(polled_address(html)).content.decode()
    assert "It is your turn." in html
    assert "<title>(1) " in html
    assert 'id="favicon"' in html
    assert '"do":"unroll"' in html
    assert '"do":"walk"' not in html


def test_what_is_on_the_page_already_does_not_move_again(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 1)
    html = open_page(browse(whose_turn(game)), game)
    assert 'class="trail"' in html
    assert '"do":"walk"' in html
    assert '"do":' not in open_page(browse(whose_turn(game)), game), "it has been told"


def test_a_line_of_chat_arrives_without_touching_the_board(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    client = browse(yasmin)
    address = polled_address(open_page(client, game))
    table_talk.post_message(game=game, player=omar, text="Ready?", now=NOON)
    html = client.get(address).content.decode()
    assert "Ready?" in html
    assert 'id="table"' not in html
    assert client.get(polled_address(html)).status_code == 204


def test_the_last_move_arrives_and_then_what_comes_after_it(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    for client in (browse(omar), browse(None)):
        assert "hx-trigger" in open_page(client, game)
    address = polled_address(open_page(browse(None), game))
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    html = browse(None).get(address).content.decode()
    assert f"{omar} won" in html
    assert browse(omar).get(polled_address(html)).status_code == 204
    lobby.rematch(game_id=game.pk, player=yasmin, now=NOON)
    html = browse(omar).get(polled_address(html)).content.decode()
    assert 'id="afterwards" hx-swap-oob="true"' in html
    assert "Yasmin wants a rematch." in html
    assert 'id="table"' not in html


def test_a_page_that_looks_back_keeps_looking_back(browse: Browse) -> None:
    game = started_game(new_players(2))
    play_on(game, 4)
    client = browse(waiting_player(game))
    address = polled_address(open_page(client, game, "?move=2"))
    play_on(game, 1)
    html = client.get(address).content.decode()
    assert "After move 2 of 5" in html
    assert '"do":' not in html


def test_a_move_made_while_the_page_is_put_together_arrives_afterwards() -> None:
    """The game and its moves are two queries; what comes between them must not be lost."""
    game = started_game(new_players(2))
    follower = waiting_player(game)
    play_on(game, 1)
    read = tables.find_game(game.public_id)
    assert read
    play_on(game, 1)
    seen = tables.see_table(read, follower)
    assert (len(seen.moves), seen.may_act, seen.pending["kind"]) == (1, False, "lay")
    shown = tables.stamp(game.public_id, len(seen.moves), None, None)
    assert shown != tables.current_stamp(game.public_id)
    now = tables.find_game(game.public_id)
    assert now
    assert tables.see_table(now, follower).may_act


def test_nobody_can_guess_the_stamp_of_a_page(browse: Browse) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar], visibility=Game.Visibility.NAMED, invited=[omar])
    changes = f"{game.get_absolute_url()}changes/"
    for query in ("", "?on=0", "?stamp=", "?stamp=None", f"?stamp={game.public_id}"):
        assert browse(new_player(f"S{len(query)}")).get(changes + query).status_code == 404
    assert browse(None).get("/g/nosuchgame22/changes/").status_code == 404


# Since you last looked


def card(html: str) -> list[str]:
    """The sentences of the card, without markup."""
    if 'id="missed-title"' not in html:
        return []
    part = html[html.index('id="missed-title"') :]
    lines = re.findall(r"<li>(.*?)</li>", part[: part.index("</section>")], re.S)
    return [re.sub(r"<[^>]+>", "", line) for line in lines]


def test_what_was_missed_is_told_once_one_sentence_a_turn(browse: Browse) -> None:
    game = started_game(new_players(3))
    seats = [seat.player for seat in game.seats.order_by("number")]
    client = browse(seats[0])
    play_on(game, 2)
    assert card(open_page(client, game)) == []
    play_on(game, 4)
    told = card(open_page(client, game))
    assert [line.split()[0] for line in told] == [str(seats[1]), str(seats[2])]
    assert all("rolled" in line and "laid a rug" in line for line in told)
    assert card(open_page(client, game)) == []


def test_own_moves_are_no_news_but_a_lost_seat_is(browse: Browse) -> None:
    game = started_game(new_players(3))
    seats = [seat.player for seat in game.seats.order_by("number")]
    client = browse(seats[0])
    open_page(client, game)
    play_on(game, 6)
    game.refresh_from_db()
    assert game.deadline
    play.time_out(game_id=game.pk, now=game.deadline)
    told = card(open_page(client, game))
    assert [line.split()[0] for line in told] == [str(seats[n]) for n in (1, 2, 0)]
    assert "ran out of time" in told[-1]


def test_replaying_what_was_missed_does_not_lose_it(browse: Browse) -> None:
    game = started_game(new_players(3))
    player = game.seats.get(number=0).player
    client = browse(player)
    play_on(game, 2)
    open_page(client, game)
    play_on(game, 4)
    html = open_page(client, game)
    assert len(card(html)) == 2
    first = re.search(r'href="([^"]+)">Replay step by step', html)
    assert first
    step = first[1].replace("&amp;", "&")
    assert "move=3" in step
    for number in (3, 4, 5):
        html = client.get(step).content.decode()
        assert f"After move {number} of 6" in html
        assert len(card(html)) == 2
        forward = re.search(r'href="([^"]+)"[^>]*aria-label="Forward"', html)
        assert forward
        step = forward[1].replace("&amp;", "&")


def test_looking_back_does_not_count_as_having_looked(browse: Browse) -> None:
    game = started_game(new_players(3))
    player = game.seats.get(number=0).player
    client = browse(player)
    play_on(game, 6)
    assert len(card(open_page(client, game, "?move=1"))) == 2
    assert Seat.objects.get(game=game, player=player).seen_moves == 0
    assert len(card(open_page(client, game))) == 2
    assert Seat.objects.get(game=game, player=player).seen_moves == 6


def test_the_card_grows_on_an_open_page_and_ends_with_the_own_turn(browse: Browse) -> None:
    game = started_game(new_players(3))
    seats = [seat.player for seat in game.seats.order_by("number")]
    client = browse(seats[2])
    play_on(game, 2)
    html = open_page(client, game)
    assert len(card(html)) == 1
    address = polled_address(html) + "&since=0"  # what hx-include="#since" adds
    play_on(game, 2)
    assert len(card(client.get(address).content.decode())) == 2
    url = f"{game.get_absolute_url()}move/"
    htmx = {"HX-Request": "true"}
    data = {"action": "turn:L", "on": "4", "since": "0"}
    turned = client.post(url, data, headers=htmx).content.decode()
    assert len(card(turned)) == 2, "until the own turn is over"
    action = re.search(r"choose=(lay:\w+)", turned)
    assert action
    data = {"action": action[1], "on": "5", "since": "0"}
    laid = client.post(url, data, headers=htmx).content.decode()
    assert card(laid) == []
    assert 'id="since" name="since" value="6"' in laid
