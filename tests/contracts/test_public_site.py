"""What a public site says above each page, exactly, and the flags of its cookies."""

from __future__ import annotations

from http.cookies import Morsel
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Player
from games.selectors import lessons
from tests.contracts.site_settings import settings_with
from tests.history.archive import stored_game
from tests.people import open_game
from tests.puzzles.invented import choices, puzzle_of

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains; preload",
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": "en",
}

A_YEAR = 365 * 24 * 3600
# Name after `__Host-`: secure, hidden from scripts, sent by other sites, kept for how many seconds.
COOKIES = {
    "sessionid": (True, True, "Lax", 60 * 24 * 3600),
    "csrftoken": (True, True, "Lax", 52 * 7 * 24 * 3600),
    "language": (True, True, "Lax", A_YEAR),
    "lessons": (True, True, "Lax", A_YEAR),
    "archive": (True, True, "Lax", A_YEAR),
    "tried": (True, True, "Lax", 24 * 3600),
}


@pytest.fixture
def public(settings, tmp_path: Path) -> Client:
    """A browser on a site whose operator gave it a name and nothing else."""
    found = settings_with(SOUK_DATA=str(tmp_path), ALLOWED_HOSTS="souk.example")
    keep = ("DATABASES", "STORAGES", "LOGGING", "CACHES", "PASSWORD_HASHERS", "CELERY_", "STATIC")
    for name, value in found.items():
        if name.isupper() and not name.startswith(keep):
            setattr(settings, name, value)
    return Client(headers={"host": "souk.example", "x-forwarded-proto": "https"})


def cookie(morsel: Morsel[str]) -> tuple[bool, bool, str, Any]:
    return (
        *(bool(morsel["secure"]), bool(morsel["httponly"])),
        *(morsel["samesite"], morsel["max-age"]),
    )


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/games/", "/nowhere/"])
def test_headers(path: str, public: Client) -> None:
    answer = public.get(path)
    policy = answer["Content-Security-Policy"].split(";")
    assert dict(part.strip().split(" ", 1) for part in policy) == POLICY
    assert {name: answer.get(name) for name in HEADERS} == HEADERS
    assert set(answer["Vary"].split(", ")) == {"Accept-Encoding", "Accept-Language", "Cookie"}
    assert "private" in answer["Cache-Control"]
    assert len(answer["X-Request-ID"]) == 32
    besides = {"Cache-Control", "Content-Length", "Content-Security-Policy", "Expires"}
    assert set(answer.headers) <= {*HEADERS, *besides, "Vary", "X-Request-ID"}


@pytest.mark.django_db(transaction=True)
def test_what_changes_by_itself_is_kept_by_no_browser_of_a_visitor(
    game: Game, two: list[Player], public: Client
) -> None:
    """A page that is shown again asks for what there is now."""
    opened, table = open_game(two[0]).get_absolute_url(), game.get_absolute_url()
    over = stored_game(two).get_absolute_url()
    for path in (
        *(opened, f"{opened}room/", table, f"{table}changes/", f"{table}record.json"),
        *(f"{over}reckoning/", "/puzzle/", "/puzzle/archive/", "/service-worker.js", "/healthz"),
    ):
        answer = public.get(path)
        assert answer.status_code in (200, 503), path
        assert "no-store" in answer["Cache-Control"], path


@pytest.mark.django_db
def test_a_request_without_tls_is_sent_to_it(public: Client) -> None:
    answer = public.get("/games/", headers={"x-forwarded-proto": "http"})
    assert (answer.status_code, answer["Location"]) == (301, "https://souk.example/games/")


@pytest.mark.django_db
def test_a_request_for_another_host_is_refused(public: Client) -> None:
    assert public.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def cookies_of(client: Client, players: list[Player]) -> dict[str, Morsel[str]]:
    """All that the site sets for a visitor who then signs in."""
    puzzle = puzzle_of(stored_game(players), 1, day=timezone.now().date())
    client.post("/puzzle/", {"action": choices(puzzle.game, 1)[0]})
    client.post("/language/", {"language": "en"})
    client.get("/archive/?view=list")
    client.get(f"/learn/marrakech/1/{scene_played()}/")
    found = dict(client.cookies)
    client.post(
        "/accounts/login/", {"login": "Yasmin", "password": "open-sesame-42", "remember": "on"}
    )
    tried = next(name for name in found if name.endswith("tried"))
    return {**found, **client.cookies, tried: found[tried]}


def scene_played() -> str:
    """The answers with which the first scene of the tutorial is done."""
    done: tuple[str, ...] = ()
    while (stage := lessons.stage("marrakech", 1, done, chosen="")) and not stage.is_done:
        done = (*done, stage.table.observation["legal"][0])
    return ",".join(done)


@pytest.mark.django_db
def test_cookies(public: Client, two: list[Player]) -> None:
    found = {name: cookie(morsel) for name, morsel in cookies_of(public, two).items()}
    assert found == {f"__Host-{name}": how for name, how in COOKIES.items()}


@pytest.mark.django_db
def test_cookies_of_a_site_for_one_machine(client: Client, two: list[Player]) -> None:
    """Without TLS a browser would not send them back otherwise."""
    found = {name: cookie(morsel) for name, morsel in cookies_of(client, two).items()}
    assert found == {name: (False, *rest) for name, (_secure, *rest) in COOKIES.items()}
