"""Requests that no browser sends, thrown at the whole server: it answers each of them.

A few hundred within `make test`, twenty thousand in `make attack`; a failure names the number
of the request, which is all that is needed to send it again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import RequestFactory

from marrakech_site.wsgi import application
from tests.attack.routes import Route, every_route
from tests.attack.world import ROLES, World, undone

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
FEW, MANY = 400, 20_000
ODD = (
    *("", " ", "\0", "a\0b", "-1", "0", "1", "99999999999999999999", "1e9", "NaN", "٣", "²"),
    *("9999-12-31", "0001-01-01", "2026-02-30", "turn:L", "lay:a1a2", "resign", "timeout"),
    *("'; DROP TABLE games_move; --", "<script>", "{{ 7*7 }}", "%s%n", "../../etc/passwd"),
    *("\r\nSet-Cookie: x=1", "\ud7ff", "\uffff", "\u202e", "🧞" * 50, "a" * 300, "a" * 5000),
    *("=?utf-8?q?x?=", "https://[::1", "@" * 300, "2025", "12", "longest", "marrakech/x", "/" * 99),
    *("the-creator", "marrakech", "yes", "true", "null", "[]", "{}", "http://evil.example/"),
)
CHARSETS = ("", "", "", "utf-8", "utf-16", "utf-16le", "utf-7", "idna", "base64", "x", "latin-1")
KINDS = (
    *("application/x-www-form-urlencoded",) * 4,
    *("multipart/form-data; boundary=x",) * 3,
    *("multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=ÿ"),
    *("application/json", "text/plain", "", ";", "multipart/mixed; boundary=x"),
)
NAMES = (
    *("action", "on", "text", "move", "choose", "since", "stamp", "play", "at", "page", "watch"),
    *("game", "size", "pace", "rated", "visibility", "invited", "entropy", "edition", "mail"),
    *("display_name", "language", "next", "time_zone", "quiet_from", "quiet_to"),
    *("first", "last", "until", "player", "opponent", "reason", "option-insolvency", "file"),
    *("username", "email", "login", "password", "password1", "code", "level", "opponents"),
    *("q", "o", "p", "e", "_popup", "_to_field", "_selected_action", "status__exact", "id__in"),
    *("seats", "n", "challenge", "after", "period", "slid", "csrfmiddlewaretoken", "\0"),
    *("url", "format", "mentions", "endpoint", "p256dh", "auth", "turn", "message", "go_on"),
    *("answer", "share", "act", "days", "hours", "name", "path", "band", "who", "order", "year"),
    *("seat", "opening", "notes", "starred", "view", "comeback", "state", "size", "stars"),
)
METHODS = ("GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "X")


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """As Django's own client does: the house stands in a transaction that must stay open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def fields(rng: random.Random) -> list[tuple[str, str]]:
    return [(rng.choice(NAMES), rng.choice(ODD)) for _ in range(rng.randrange(6))]


def body(rng: random.Random) -> bytes:
    match rng.randrange(6):
        case 0:
            return b""
        case 1:
            return rng.randbytes(rng.randrange(200))
        case 2:
            parts = b"".join(
                b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
                % (name.encode(), text.encode("utf-8", "surrogatepass"))
                for name, text in fields(rng)
            )
            whole = parts + b"--x--\r\n"
            return whole[: rng.randrange(len(whole) + 1)] if rng.random() < 0.5 else whole
        case 3:
            name = rng.choice((b"a", b"\xff", b"\0", b"", b'"', b"../x"))
            return (
                b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n'
                b"Content-Type: application/json; charset=utf-16\r\n"
                b"Content-Transfer-Encoding: base64\r\n\r\n%s\r\n--x--\r\n"
            ) % (name, rng.randbytes(50))
        case 4:
            return urlencode(fields(rng), errors="surrogatepass").encode() + rng.choice(
                (b"", b"&%", b"&=&", b"&%ff=%fe", b"&a=%00", b";", b"&" + b"a=1&" * 1200)
            )
    return "".join(rng.choice(ODD) for _ in range(3)).encode("utf-8", "surrogatepass")


def path(rng: random.Random, routes: Sequence[Route], world: World) -> str:
    game = rng.choice(list(world.games.values()))
    values = world.values_for(game)
    for name in values:
        if rng.random() < 0.15:
            values[name] = rng.choice(ODD)
    made = rng.choice(routes).path(values)
    if rng.random() < 0.1:
        made += rng.choice(ODD)
    if rng.random() < 0.1:
        made = rng.choice(("/pl", "/zh-hant", "/xx", "//", "/.")) + made
    return made


def environ(rng: random.Random, routes: Sequence[Route], world: World) -> dict[str, Any]:
    sent = body(rng)
    charset = rng.choice(CHARSETS)
    kind = rng.choice(KINDS) + (f"; charset={charset}" if charset else "")
    cookies = {
        name: morsel.value for name, morsel in world.clients[rng.choice(ROLES)].cookies.items()
    }
    for name in ("sessionid", "csrftoken", "language", "tz", "messages"):
        if rng.random() < 0.07:
            cookies[name] = rng.choice(
                ('"\\000"', "a" * 300, "pl", "Europe/Warsaw", "ÿ", '"', "{}")
            )
    headers = {
        "HTTP_COOKIE": "; ".join(f"{name}={text}" for name, text in cookies.items()),
        "HTTP_ACCEPT_LANGUAGE": rng.choice(("pl", "xx", "a" * 600, "\xff", "*;q=0.1", "")),
        "HTTP_X_FORWARDED_FOR": rng.choice(("", "1.2.3.4", "nonsense", "\xff", "::1, ::2")),
        "HTTP_X_REQUEST_ID": rng.choice(("", "proxy-1234567", "\xff" * 9)),
        "HTTP_HOST": rng.choice(("localhost",) * 20 + ("evil.example", "", "a b", "[::1")),
    }
    if rng.random() < 0.3:
        headers["HTTP_HX_REQUEST"] = "true"
        headers["HTTP_HX_CURRENT_URL"] = rng.choice(("http://localhost/", "\xff", "http://[", "x"))
    length = len(sent) if rng.random() < 0.9 else rng.choice(("", "0", "5", "x", "-1", "99999999"))
    query = urlencode(fields(rng), errors="surrogatepass")
    query += rng.choice(("", "", "&%", "&%ff", "&a=%00", "&" * 50))
    return {
        **RequestFactory()._base_environ(),  # type: ignore[attr-defined]
        **headers,
        "REQUEST_METHOD": rng.choice(METHODS),
        # A server hands paths on as bytes in the clothes of Latin-1.
        "PATH_INFO": path(rng, routes, world).encode("utf-8", "surrogatepass").decode("latin-1"),
        "QUERY_STRING": query
        if rng.random() < 0.9
        else quote(rng.choice(ODD).encode("utf-8", "surrogatepass")),
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(length),
        "wsgi.input": BytesIO(sent),
    }


def status_of(request: dict[str, Any]) -> int:
    lines: list[str] = []
    answer = application(request, lambda line, headers, _=None: lines.append(line))
    try:
        for _ in answer:
            pass
    finally:
        getattr(answer, "close", lambda: None)()
    return int(lines[0].split()[0])


def _says_what_does_not_run(request: dict[str, Any], status: int) -> bool:
    """The page for monitors, where no workers run."""
    return status == 503 and request["PATH_INFO"].endswith("/healthz")


@pytest.mark.parametrize("part", range(4))
def test_whatever_is_sent_is_answered(part: int, house: World, thorough: bool) -> None:
    routes = every_route()
    broken = []
    for number in range(part, MANY if thorough else FEW, 4):
        request = environ(random.Random(number), routes, house)
        with undone():
            try:
                status = status_of(request)
            except Exception as error:
                status = 599
                broken.append((number, repr(error)))
        if status >= 500 and not _says_what_does_not_run(request, status):
            broken.append((number, f"{request['REQUEST_METHOD']} {request['PATH_INFO'][:100]}"))
    assert broken == []
