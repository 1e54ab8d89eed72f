"""What browsers keep and send: storage, caches, headers, session keys, and streams of pages.

Scripts and service workers of an earlier release talk to the server of this one.
"""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.test import Client

from games import bell
from games.live import app, hub
from games.live.app import Live
from games.models import Game, Player
from games.services import lobby
from games.services.notices import links
from tests.people import NOON, signed_in

ROOT = Path(__file__).parents[2]
# The library that we did not write is left out.
SCRIPTS = {
    path.name: path.read_text()
    for path in (ROOT / "games" / "static" / "games").rglob("*.js")
    if ".min." not in path.name
} | {"service-worker.js": (ROOT / "templates" / "games" / "service-worker.js").read_text()}
EVERYTHING = "\n".join(SCRIPTS.values())

STORED = {"who", "souk-story", "souk-${name}"}
SWITCHES = {"sound", "story"}  # for `souk-${name}`
CACHES = {"seen", "SEEN", "SHELL"}
STREAM_EVENTS = {"here", "changed", "beat", "error"}
SESSION_KEYS = {"guest", "invited-by", "by_mail_as", "mark", "stays-signed-in"}
PUSHED = {"badge", "close", "tag", "title", "body", "url", "actions"}


def found(pattern: str, text: str = EVERYTHING) -> set[str]:
    return set(re.findall(pattern, text))


def test_names_in_the_storage_of_a_browser() -> None:
    assert found(r"localStorage\.\w+\([\"`]([^\"`]+)[\"`]") == STORED
    assert found(r"data-switch=\"(\w+)\"", _templates()) == SWITCHES
    assert 'const kept = { sound: "off", story: "on" };' in SCRIPTS["table.js"]
    assert not found(r"(sessionStorage|indexedDB)")


def test_the_names_of_caches() -> None:
    worker = SCRIPTS["service-worker.js"]
    assert found(r"caches\??\.(?:open|delete)\(\"?([\w-]+)\"?\)") == {*CACHES, "name"}
    assert 'const SEEN = "seen";' in worker
    assert 'const SHELL = "shell-VERSION";' in worker
    assert 'name.startsWith("shell-")' in worker


def test_the_cookie_that_a_script_writes() -> None:
    assert found(r'const name = .*"([\w-]+)" : "([\w-]+)";') == {("__Host-tz", "tz")}


def test_headers_that_scripts_send_and_read() -> None:
    body = (ROOT / "templates" / "base.html").read_text()
    (sent,) = re.findall(r"<body hx-headers='\{([^}]*\}\}[^}]*\}\}[^}]*)\}'>", body)
    assert set(re.findall(r"\"([\w-]+)\": ", sent)) == {"x-csrftoken", "x-player"}
    named = found(r"(?:headers\.(?:get|set)|getResponseHeader)\(\"([\w-]+)\"")
    assert named == {"Souk-Keep", "Souk-Seen", "x-csrftoken"}
    assert found(r"\"(X-[\w-]+)\"") == {"X-CSRFToken"}


def test_addresses_that_an_installed_worker_holds() -> None:
    worker = SCRIPTS["service-worker.js"]
    assert found(r"\{% url '(\w+)' %\}", worker) == {"offline", "add_device"}  # may be renamed
    assert 'navigator.serviceWorker.register("/service-worker.js")' in SCRIPTS["app.js"]


def test_what_an_installed_worker_reads_of_a_push_message() -> None:
    assert found(r"told\.(\w+)", SCRIPTS["service-worker.js"]) == PUSHED


def test_events_of_a_stream_that_scripts_hear() -> None:
    assert found(r"source\.addEventListener\(\"(\w+)\"", SCRIPTS["live.js"]) == STREAM_EVENTS


def test_events_of_a_stream_as_they_are_sent() -> None:
    assert hub.CHANGED % b"stamp" == b"event: changed\ndata:stamp\n\n"
    assert hub.BEAT == b"event: beat\ndata:\n\n"
    said = app.HERE % (2000, "stamp", "stamp")
    assert said == "event: here\nretry: 2000\nid: stamp\ndata: stamp\n\n"
    assert dict(app.HEADERS) == {
        b"content-type": b"text/event-stream; charset=utf-8",
        b"cache-control": b"private, no-store",
        b"x-accel-buffering": b"no",
        b"x-content-type-options": b"nosniff",
    }


def test_redis_is_told_of_games_and_first_pages_by_these_topics(monkeypatch, settings) -> None:
    published: list[tuple[str, str]] = []

    class Server:
        def publish(self, channel: str, words: str) -> None:
            published.append((channel, words))

    settings.REDIS_URL = "redis://redis.example:6379/0"
    monkeypatch.setattr(bell, "_server", lambda _: Server())
    bell.ring([bell.game_topic("c0ntract2345"), bell.home_topic(101)])
    ((channel, words),) = published
    assert re.fullmatch(r"souk:[0-9a-f]{16}", channel)
    assert words == "gc0ntract2345 p101"


def asked(path: str, query: str) -> str | None:
    """The game that a stream is asked for (`-`: the first page); None where nothing is."""
    request = ASGIRequest(
        {
            "type": "http",
            "method": "GET",
            "path": path,
            "headers": [],
            "query_string": query.encode(),
        },
        BytesIO(),
    )
    ticket = app._ticket(request)
    return (ticket.game or "-") if ticket else None


def test_the_address_of_a_stream() -> None:
    assert (asked("/live/", "game=c0ntract2345"), asked("/live/", "home")) == ("c0ntract2345", "-")
    assert asked("/live/", "table=c0ntract2345") is None
    assert app.PATH == "/live/"
    assert (Live.__module__, Live.__name__) == ("games.live.app", "Live")  # may be renamed


@pytest.mark.django_db
def test_a_page_says_where_its_stream_is(game: Game, two: list[Player], settings) -> None:
    settings.LIVE_PORT = 8001
    client = signed_in(two[1])
    assert (
        f'data-live="/live/?game={game.public_id}"'
        in client.get("/g/c0ntract2345/").content.decode()
    )
    assert 'data-live="/live/?home"' in client.get("/").content.decode()


@pytest.mark.django_db
def test_a_page_of_one_s_own_is_kept_and_others_are_not(game: Game, two: list[Player]) -> None:
    yasmin = signed_in(two[0])
    assert yasmin.get("/g/c0ntract2345/")["Souk-Keep"] == "seen"
    assert "Souk-Keep" not in Client().get("/g/c0ntract2345/")


@pytest.mark.django_db
@pytest.mark.parametrize(("made_for", "status"), [("101", 401), ("", 401), ("102", 200)])
def test_an_open_page_of_somebody_else_is_told_nothing(
    game: Game, two: list[Player], made_for: str, status: int
) -> None:
    """Each page says for whom it was made."""
    omar, htmx = signed_in(two[1]), {"HX-Request": "true", "X-Player": made_for}
    asked = omar.get("/g/c0ntract2345/changes/?stamp=old&since=2", headers=htmx)
    assert asked.status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize(("made_for", "brings"), [("101", False), ("102", True)])
def test_a_refusal_brings_a_fresh_token_to_whoever_the_page_was_made_for(
    two: list[Player], made_for: str, brings: bool
) -> None:
    strict = signed_in(two[1], enforce_csrf_checks=True)
    refused = strict.post("/language/", {"language": "pl"}, headers={"X-Player": made_for})
    assert refused.status_code == 403
    assert ("X-CSRFToken" in refused) == brings


@pytest.mark.django_db
def test_signing_out_clears_the_browser(two: list[Player]) -> None:
    answer = signed_in(two[0]).post("/accounts/logout/")
    assert answer["Clear-Site-Data"] == '"cache", "storage"'


@pytest.mark.django_db
def test_a_guest_of_yesterday_is_known_by_the_session(client: Client, two: list[Player]) -> None:
    Player.objects.filter(pk=101).update(is_guest=True)
    guest = Player.objects.get(pk=101)
    game = lobby.play_against_bots(
        player=guest, ruleset="marrakech", opponents=1, level="apprentice", now=NOON
    )
    session = client.session
    session["guest"] = 101
    session.save()
    assert client.get(f"/g/{game.public_id}/").context["user"] == guest


@pytest.mark.django_db
def test_who_goes_on_with_somebody_else_s_mail_was_asked_once(
    game: Game, two: list[Player]
) -> None:
    assert game.to_act
    path = links.path_of_decision(game.to_act, game)
    yasmin = signed_in(two[0])
    assert yasmin.post(path, {"go_on": "yes"}).status_code == 302
    assert yasmin.session["by_mail_as"] == 102


def test_the_session_keys_are_these() -> None:
    paths = [*(ROOT / "games").rglob("*.py"), *(ROOT / "marrakech_site").rglob("*.py")]
    text = "\n".join(path.read_text() for path in paths)
    named: set[Any] = set()
    for constant in re.findall(r"session(?:\[|\.get\(|\.pop\()([A-Z]\w+)", text):
        named |= set(re.findall(rf"^{constant} = \"([\w-]+)\"", text, re.MULTILINE))
    assert named - {"complete"} == SESSION_KEYS  # a file of compiled bots


def _templates() -> str:
    return "\n".join(path.read_text() for path in (ROOT / "templates").rglob("*.html"))
