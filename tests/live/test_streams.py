"""Streams by a real process: who gets one, what it tells, and what happens when servers go."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import InterfaceError, OperationalError

from games import bell
from games.live import admission
from games.live.app import Live
from games.models import Game
from games.rest import Rest
from games.selectors import table as tables
from games.selectors.stamps import home_stamp
from games.services import blocks, lobby, play, table_talk
from tests.live.streams import Listener, LiveProcess, live_process, topic
from tests.people import NOON, new_player, new_players, open_game, play_on, started_game
from tools import local_servers as servers
from tools.patience import wait_until
from tools.sessions import session_key

pytestmark = pytest.mark.django_db(transaction=True)


def test_pages_hear_that_something_changed_and_never_what(live: LiveProcess) -> None:
    yasmin, omar = new_players(2)
    game = started_game([yasmin, omar])
    watching = Listener(live, topic(game))
    at_home = Listener(live, "home", session_key(omar))
    assert watching.stamp == tables.current_stamp(game.public_id)
    assert at_home.stamp == home_stamp(omar)
    play_on(game, 1)
    assert watching.next() == ("changed", tables.current_stamp(game.public_id))
    assert at_home.next() == ("changed", home_stamp(omar))
    play.resign(game_id=game.pk, player=yasmin, now=NOON)
    assert watching.next()[0] == "changed"
    # After the end people talk, and ask for another game.
    table_talk.post_message(game=game, player=omar, text="Again?", now=NOON)
    assert watching.next() == ("changed", tables.current_stamp(game.public_id))
    again = lobby.rematch(game_id=game.pk, player=omar, now=NOON)
    assert watching.next() == ("changed", tables.current_stamp(game.public_id))
    room = Listener(live, topic(again), session_key(yasmin))
    lobby.rematch(game_id=game.pk, player=yasmin, now=NOON)
    assert room.next()[0] == "changed"
    assert watching.next() == ("changed", tables.current_stamp(game.public_id))


def test_who_may_not_see_a_game_gets_no_stream_of_it(live: LiveProcess) -> None:
    yasmin, omar, ileana, wei = new_players(4)
    named = started_game([yasmin, omar], visibility=Game.Visibility.NAMED, invited=[omar])
    sessions = {player: session_key(player) for player in (yasmin, omar, ileana, wei)}
    for session, status in ((sessions[omar], 200), (sessions[ileana], 404), ("", 404)):
        assert Listener(live, topic(named), session).status == status
    for query in ("", "home", "game=", "game=nothing", "game=%00", "home=1"):
        assert Listener(live, query).status == 404
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert Listener(live, topic(named), sessions[omar], **elsewhere).status == 403
    assert Listener(live, topic(named), sessions[omar], Host="elsewhere.example").status == 400
    assert Listener(live, "home&" * 1100).status == 400

    # Who loses sight of a game hears no more of it.
    waiting = open_game(yasmin, 3)
    keeps_apart = Listener(live, topic(waiting), sessions[ileana])
    signed_out = Listener(live, "home", sessions[wei])
    stays = Listener(live, topic(waiting), sessions[wei])
    assert {each.status for each in (keeps_apart, signed_out, stays)} == {200}
    blocks.block_player(blocker=yasmin, blocked=ileana, now=NOON)
    Session.objects.filter(session_key=sessions[wei]).delete()
    lobby.join_game(game_id=waiting.pk, player=wei, entropy="mint", now=NOON)
    assert keeps_apart.next() == ("", "")
    assert signed_out.next() == ("", "")
    assert stays.next()[0] == "changed"


def test_nobody_holds_all_streams(live: LiveProcess) -> None:
    game = started_game(new_players(2))
    held = [Listener(live, topic(game)) for _ in range(4)]
    assert {each.status for each in held} == {200}
    assert Listener(live, topic(game)).status == 429
    player = new_player("Wei")
    assert Listener(live, topic(game), session_key(player)).status == 200
    for number in range(10):
        session = session_key(new_player(f"Guest{number}"))
        held += [Listener(live, topic(game), session) for _ in range(4)]
    assert held.pop().status == 429, "a network has room for ten players' streams, not for more"
    held[0].close()
    wait_until(lambda: Listener(live, topic(game)).status == 200)


def test_streams_end_when_the_process_does(live: LiveProcess) -> None:
    game = started_game(new_players(2))
    page = Listener(live, topic(game))
    live.stop()
    assert page.next() == ("", "")
    play_on(game, 1)
    live.start()
    assert Listener(live, topic(game)).stamp == tables.current_stamp(game.public_id) != page.stamp


class CountedRest(Rest):
    begun = 0

    def begin(self) -> None:
        self.begun += 1
        super().begin()


def test_redis_tells_at_once_and_nobody_waits_for_it_when_it_hangs(
    redis: servers.Redis, transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = started_game(new_players(2))
    silent = CountedRest(seconds=3600)
    monkeypatch.setattr(bell, "silent", silent)
    with live_process(REDIS_URL=redis.url) as live:
        page = Listener(live, topic(game))
        play_on(game, 1)
        # The subscription may come after the page; from then on news have no stamp.
        while page.next() != ("changed", ""):
            play_on(game, 1)
        redis.freeze()
        for _ in range(4):
            play_on(game, 1)
        assert silent.begun == 1, "half a second for the first move, then none"
        stamp = tables.current_stamp(game.public_id)
        wait_until(lambda: page.next() == ("changed", stamp), every=0)
        redis.thaw()


def test_its_log_says_what_is_wrong_and_nothing_about_who_asked(
    transactional_db: None, tmp_path: Path
) -> None:
    player = new_player("Yasmin")
    game, session, log = started_game([player, new_player("Omar")]), session_key(player), tmp_path
    nobody = f"redis://:sesame@127.0.0.1:{servers.free_port()}/0"
    with live_process(log / "fine", LOG_LEVEL="INFO", REDIS_URL=nobody) as live:
        assert Listener(live, f"{topic(game)}&token=sesame", session).status == 200
        assert Listener(live, "home&token=sesame", session, Host="elsewhere.example").status == 400
        with socket.create_connection(("127.0.0.1", live.port)) as line:
            line.sendall(f"sesame {session}\r\n\r\n".encode())
            line.recv(1000)
        page = Listener(live, topic(game), session)
        play_on(game, 1)
        assert page.next()[0] == "changed"
    gone = f"postgres://souk:sesame@127.0.0.1:{servers.free_port()}/souk"
    with live_process(log / "broken", LOG_LEVEL="INFO", DATABASE_URL=gone) as live:
        assert Listener(live, f"{topic(game)}&token=sesame", session).status == 503
    said = {name: (log / name).read_text() for name in ("fine", "broken")}
    assert "Redis is silent" in said["fine"]
    assert "no stream without a database" in said["broken"]
    for text in said.values():
        for secret in ("sesame", session, player.email, game.public_id):
            assert secret not in text


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_stream_is_refused_however_the_database_says_that_it_is_gone(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(ticket: object) -> None:
        raise error("connection already closed")

    monkeypatch.setattr(admission, "admit", fail)
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": "/live/", "query_string": b"home"}
    asyncio.run(Live()({**scope, "headers": [(b"host", b"localhost")]}, receive, send))
    assert sent[0]["status"] == 503
