"""Nothing that a browser can send makes the table fall over or changes it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from tests.people import new_players, signed_in, started_game, whose_turn

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

WEIRD = (
    "",
    " ",
    "-1",
    "0x10",
    "1e3",
    "٣",
    "9" * 400,
    "99999999999",
    "\0",
    "turn:L\0",
    "'; DROP TABLE games_move; --",
    "<script>alert(1)</script>",
    "lay:" + "a1" * 5000,
    "\ud7ff\uffff",
    "🧞" * 300,
    "a\r\nSet-Cookie: x=1",
)
NAMES = ("move", "choose", "on", "since", "stamp", "line")


@pytest.fixture
def client_and_game() -> tuple[Client, Game]:
    game = started_game(new_players(2))
    client = signed_in(whose_turn(game), raise_request_exception=True)
    return client, game


def test_odd_addresses(client_and_game: tuple[Client, Game]) -> None:
    client, game = client_and_game
    for text in WEIRD:
        query = dict.fromkeys(NAMES, text)
        assert client.get(game.get_absolute_url(), query).status_code == 200
        changes = client.get(reverse("changes", args=[game.public_id]), query)
        assert changes.status_code in (200, 204)
        assert client.get("/next/", {"after": text}).status_code in (302, 404)


@pytest.mark.parametrize("action", ["move", "talk", "notes"])
@pytest.mark.parametrize("htmx", [False, True])
def test_odd_forms(client_and_game: tuple[Client, Game], action: str, htmx: bool) -> None:
    client, game = client_and_game
    url = reverse(action, args=[game.public_id])
    headers: Any = {"HX-Request": "true"} if htmx else {}
    for text in WEIRD:
        for data in ({"action": text, "on": text, "text": text}, {"action": text, "on": "0"}, {}):
            response = client.post(url, data, headers=headers)
            assert response.status_code in (200, 302, 409, 422), (text, data)
    assert game.moves.count() == 0


BODIES = [
    (b"action=%ff%fe&on=%c3%28&text=%ed%a0%80", "application/x-www-form-urlencoded"),
    (b"\xff\xfe\x00\x01", "application/x-www-form-urlencoded"),
    (b"\xff\xfe", "application/json"),
    (b'{"action": "turn:L", "on": 0}', "application/json"),
    (b"--x\r\nContent-Disposition: form-data; name=action\r\n\r\nturn", "multipart/form-data"),
    (b"--x\r\nnothing", "multipart/form-data; boundary=x"),
    (b"&".join(b"a%d=1" % number for number in range(3000)), "application/x-www-form-urlencoded"),
    (b"action=turn:L&on=0", "text/plain; charset=utf-7"),
    (b"", "application/x-www-form-urlencoded; charset=nonsense"),
]


@pytest.mark.parametrize(("body", "kind"), BODIES)
@pytest.mark.parametrize("action", ["move", "talk", "notes"])
def test_bytes_that_are_no_form(
    client_and_game: tuple[Client, Game], action: str, body: bytes, kind: str
) -> None:
    client, game = client_and_game
    url = reverse(action, args=[game.public_id])
    response = client.generic("POST", url, body, content_type=kind)
    assert response.status_code in (302, 400, 413, 415, 422)
    assert game.moves.count() == 0


@pytest.mark.parametrize(
    ("action", "methods"),
    [
        ("table", ("post", "put", "patch", "delete")),
        ("changes", ("post", "put", "patch", "delete")),
        ("move", ("get", "put", "patch", "delete")),
        ("talk", ("get", "put", "patch", "delete")),
        ("notes", ("get", "put", "patch", "delete")),
        ("resign", ("put", "patch", "delete")),
    ],
)
def test_wrong_methods(
    client_and_game: tuple[Client, Game], action: str, methods: tuple[str, ...]
) -> None:
    client, game = client_and_game
    url = reverse(action, args=[game.public_id])
    for method in methods:
        assert getattr(client, method)(url).status_code == 405
    assert client.options(url).status_code in (200, 405)
    assert game.moves.count() == 0


def test_odd_ids() -> None:
    for public_id in ("0", "a" * 500, "nosuchgame22", "-", "_"):
        for action in ("table", "changes", "proof"):
            assert Client().get(reverse(action, args=[public_id])).status_code == 404


def test_no_form_is_taken_from_another_site(client_and_game: tuple[Client, Game]) -> None:
    _, game = client_and_game
    client = signed_in(whose_turn(game), enforce_csrf_checks=True)
    for action in ("move", "talk", "notes", "resign"):
        data = {"action": "turn:L", "on": "0", "text": "hello"}
        assert client.post(reverse(action, args=[game.public_id]), data).status_code == 403
    assert game.moves.count() == 0
