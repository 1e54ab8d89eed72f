"""Whatever is sent, the answer is a page, and never a breakdown."""

from __future__ import annotations

import logging
import socket
import stat
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import get_resolver, reverse

from games.kept_mail.machine import check_host
from games.models import Game, Vacation
from games.selectors.access import may_see
from games.services import lobby
from marrakech_site.bodies import Bodies
from marrakech_site.embedded import data_folder
from marrakech_site.logs import JsonFormatter
from tests.people import NOON, new_player, new_players, open_game, signed_in

both = pytest.mark.both_databases


@both
@pytest.mark.django_db
@pytest.mark.parametrize("status", ["open", "cancelled", "expired"])
@pytest.mark.parametrize("action", ["move", "resign", "talk", "notes", "hint"])
@pytest.mark.parametrize("htmx", [False, True])
def test_a_game_that_has_not_started_says_so(status: str, action: str, htmx: bool) -> None:
    yasmin = new_player("Yasmin")
    game = open_game(yasmin)
    Game.objects.filter(pk=game.pk).update(status=status)
    client = signed_in(yasmin)
    data = {"action": "turn:L", "on": "0", "text": "hello"}
    headers: Any = {"HX-Request": "true"} if htmx else {}
    answer = client.post(reverse(action, args=[game.public_id]), data, headers=headers)
    assert answer.status_code == (200 if htmx else 302)
    assert (answer["HX-Redirect"] if htmx else answer["Location"]) == game.get_absolute_url()
    assert "messages" in client.get(game.get_absolute_url()).content.decode()
    assert not game.messages.exists()


@both
@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["a" * 300, "ß" * 200, "a@" + "b." * 30_000 + "com", "a" * 400_000]
)
def test_nobody_signs_in_by_a_name_that_no_column_holds(name: str) -> None:
    data = {"login": name, "password": "open-sesame-42"}
    answer = Client(raise_request_exception=False).post("/accounts/login/", data)
    assert answer.status_code == 200


@both
@pytest.mark.django_db
@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "10000-01-01", "2026-02-31"])
def test_days_without_a_day_after_them(day: str) -> None:
    yasmin = new_player("Yasmin", time_zone="Pacific/Kiritimati")
    client = signed_in(yasmin)
    for first, last in ((day, day), ("2026-11-17", day)):
        answer = client.post(reverse("take_vacation"), {"first": first, "last": last})
        assert answer.status_code == 302
    assert not Vacation.objects.exists()
    for path in ("archive", "my_archive"):
        assert client.get(reverse(path), {"since": day, "until": day}).status_code == 200


@both
@pytest.mark.django_db
def test_a_nul_is_nowhere_at_home() -> None:
    client = signed_in(new_player("Yasmin", is_staff=True, is_superuser=True))
    paths = ("/%00", "/calendar/a%00.ics", "/players/a%00/", "/g/%00/", "/mail/off/%00/")
    for path in (*paths, "/learn/marrakech/1/%00/", "/admin/%00"):
        assert client.get(path).status_code == 404, path
    for query in ("status__exact=%00", "q=%00", "o=%00", "p=%00"):
        assert client.get(f"/admin/games/game/?{query}").status_code in (200, 302), query
    assert client.get("/archive/?player=%00&%00=x&at=%00").status_code == 200


@both
@pytest.mark.django_db
@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "language", "tz", "messages"])
def test_a_nul_in_a_cookie_is_no_cookie(name: str) -> None:
    client = Client()
    client.cookies[name] = "a\0b"
    for path in ("/", "/accounts/login/", "/play/"):
        assert client.get(path).status_code == 200


CHARSETS = ("utf-16", "UTF-16LE", "utf-7", "latin-1", "nonsense", "\xff")


@pytest.mark.django_db
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_only_utf_8_is_read(charset: str, method: str) -> None:
    client = Client()
    for path in ("/", "/nowhere/?a=%ff", "/accounts/login/?next=%ff", "/records/check/"):
        for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            answer = client.generic(method, path, b"a=b", f"{kind}; charset={charset}")
            assert answer.status_code == 415


@pytest.mark.parametrize("charset", [*CHARSETS, "idna", "base64", '"utf-16"'])
def test_the_server_refuses_them_before_django_stumbles(charset: str) -> None:
    from marrakech_site.wsgi import application

    kind = f"application/x-www-form-urlencoded; charset={charset}"
    status: list[str] = []
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "CONTENT_TYPE": kind}
    application(environ, lambda line, headers: status.append(line))
    assert status == ["415 Unsupported Media Type"]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=x"])
def test_malformed_parts_to_anywhere(kind: str) -> None:
    for path in ("/nowhere/", "/", "/g/nosuchgame22/move/", "/accounts/login/", "/language/"):
        answer = Client().generic("POST", path, b"--x\r\nnothing", kind)
        assert answer.status_code in (200, 302, 400, 403, 404, 405), path


@pytest.mark.django_db
def test_error_pages_are_ours_and_ask_for_nothing() -> None:
    page = Client().get("/nowhere/")
    assert page.status_code == 404
    assert "There is nothing here" in page.content.decode()
    assert "Set-Cookie" not in page.headers
    refused = Client(enforce_csrf_checks=True).post("/language/", {"language": "pl"})
    assert refused.status_code == 403
    assert "This form is too old" in refused.content.decode()


@pytest.mark.django_db
def test_private_pages_are_kept_by_nobody_else() -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin, visibility="named", invited=[omar])
    client = signed_in(yasmin)
    for path in ("/", game.get_absolute_url(), "/settings/", "/games/mine/over/", "/archive/mine/"):
        answer = client.get(path)
        assert "private" in answer["Cache-Control"], path
    assert "public" in client.get("/robots.txt")["Cache-Control"]


@both
@pytest.mark.django_db
@pytest.mark.parametrize("declines", [True, False])
def test_who_did_not_come_does_not_watch(declines: bool) -> None:
    yasmin, omar = new_players(2)
    game = open_game(yasmin, visibility="named", invited=[omar], fill_level="apprentice")
    assert may_see(game, omar)
    if declines:
        lobby.decline_invitation(game_id=game.pk, player=omar, now=NOON)
    lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    assert may_see(game, yasmin)
    assert not may_see(game, omar)
    for name in ("table", "record", "proof", "changes"):
        assert signed_in(omar).get(reverse(name, args=[game.public_id])).status_code == 404


@pytest.fixture
def log() -> Iterator[Callable[[], str]]:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(JsonFormatter().format(record))  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    yield lambda: "\n".join(lines)
    logging.getLogger().removeHandler(handler)


@pytest.mark.django_db
def test_no_token_of_an_address_stands_in_the_log(log: Callable[[], str]) -> None:
    secret = "WzEsMl0:1abcDE:SeCrEt_token-of-a-mail"
    routes = [key for key in get_resolver().reverse_dict if isinstance(key, str)]
    tokens = [name for name in routes if _takes_a_token(name)]
    assert set(tokens) >= {"decision", "invitation", "unsubscribe", "calendar", "invited"}
    for name in tokens:
        path = reverse(name, args=[secret])
        for method in ("get", "post", "put", "delete"):
            getattr(Client(), method)(path)
        logging.getLogger("gunicorn.error").error("Error handling request %s", path)
    assert "souk.access" in log()
    assert "SeCrEt" not in log()


def _takes_a_token(name: str) -> bool:
    [ways, *_] = get_resolver().reverse_dict.getlist(name)
    return any(part.endswith("token") for _, parts in ways[0] for part in parts)


@pytest.mark.parametrize(
    ("host", "public", "fine"),
    [
        ("127.0.0.1", False, True),
        ("::1", False, True),
        ("localhost", False, True),
        ("0.0.0.0", False, False),
        ("::", False, False),
        ("192.168.1.7", False, False),
        ("souk.lan", False, False),
        ("0.0.0.0", True, True),
    ],
)
def test_listening_for_others_means_to_say_for_whom(host: str, public: bool, fine: bool) -> None:
    if fine:
        check_host(host, public=public)
    else:
        with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS"):
            check_host(host, public=public)


@pytest.mark.django_db
def test_the_kept_mail_answers_to_this_machine_alone() -> None:
    assert Client().get("/mailbox/").status_code == 200
    assert Client(REMOTE_ADDR="::1").get("/mailbox/").status_code == 200
    for elsewhere in ("192.168.1.7", "203.0.113.9", "", "nonsense"):
        client = Client(REMOTE_ADDR=elsewhere)
        assert client.get("/mailbox/").status_code == 404
        assert "/mailbox/" not in client.get("/").content.decode()
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
        assert Client().get("/mailbox/", headers={header: "127.0.0.1"}).status_code == 404


def test_a_data_folder_that_was_there_is_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    data_folder(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def answered(
    body: bytes, declared: str, *, hang: bool = False, seconds: float = 30
) -> tuple[str, bytes | None]:
    """The status, and the body that the application behind got to read."""
    got: list[Any] = []

    def application(environ: Any, start_response: Any) -> list[bytes]:
        got.append(environ["wsgi.input"].read())
        start_response("200 OK", [])
        return [b""]

    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(body)
        if not hang:
            theirs.shutdown(socket.SHUT_WR)
        environ = {
            "CONTENT_LENGTH": declared,
            "gunicorn.socket": ours,
            "wsgi.input": ours.makefile("rb"),
        }
        status: list[str] = []
        Bodies(application, largest=100, seconds=seconds)(
            environ, lambda line, headers: status.append(line)
        )
        environ["wsgi.input"].close()  # type: ignore[attr-defined]
    return status[0], (got[0] if got else None)


def test_a_body_is_taken_whole_or_not_at_all() -> None:
    assert answered(b"text=hello", "10") == ("200 OK", b"text=hello")
    assert answered(b"text=hello", "11")[0].startswith("408")
    assert answered(b"x" * 101, "101")[0].startswith("413")
    assert answered(b"", "1e3")[0].startswith("400")
    assert answered(b"", "-1")[0].startswith("400")


def test_a_slow_body_is_not_waited_for() -> None:
    assert answered(b"text=", "10", hang=True, seconds=0.05) == ("408 Request Timeout", None)


def test_a_body_without_a_socket_is_read_too() -> None:
    environ = {"CONTENT_LENGTH": "3", "wsgi.input": BytesIO(b"abc")}
    Bodies(lambda environ, start: [environ["wsgi.input"].read()], largest=9, seconds=1)(
        environ, None
    )
    assert environ["wsgi.input"].read() == b""  # type: ignore[attr-defined]
