"""Public sites call their cookies `__Host-…`, and still know those of the release before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO
from typing import Any

import pytest
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.models import Session
from django.core.handlers.asgi import ASGIRequest
from django.core.signing import get_cookie_signer
from django.test import Client, RequestFactory
from django.urls import reverse

from games.cookies import with_old_names
from games.live.admission import Ticket
from games.live.app import _ticket
from games.models import Player
from games.views import puzzles
from tests.accounts.conftest import PASSWORD
from tests.environment import ROOT
from tests.people import signed_in

pytestmark = pytest.mark.django_db
PREFIX = "__Host-"


@pytest.fixture
def public(settings: Any) -> None:
    """The names of a public site, as the settings make them."""
    settings.COOKIE_PREFIX = PREFIX
    for each in ("SESSION", "CSRF", "LANGUAGE"):
        plain = getattr(settings, f"{each}_COOKIE_NAME")
        setattr(settings, f"{each}_COOKIE_NAME", f"{PREFIX}{plain}")
        setattr(settings, f"{each}_COOKIE_SECURE", True)


@pytest.fixture
def old(yasmin: Player, settings: Any, request: pytest.FixtureRequest) -> Client:
    """A browser that signed in before the site became this release."""
    client = Client()
    client.post(reverse("account_login"), {"login": "yasmin", "password": PASSWORD, "remember": 1})
    client.post("/language/", {"language": "pl", "next": "/"})
    assert set(client.cookies) >= {"sessionid", "language"}
    request.getfixturevalue("public")
    return client


def named(client: Client) -> dict[str, str]:
    return {name: each.value for name, each in client.cookies.items() if each.value}


@pytest.mark.parametrize(
    ("site", "prefix"),
    [
        ({"ALLOWED_HOSTS": "souk.example"}, PREFIX),
        ({"ALLOWED_HOSTS": "souk.example", "HSTS_SUBDOMAINS": "no"}, PREFIX),
        ({"ALLOWED_HOSTS": "souk.example", "HTTPS": "no"}, ""),
        ({}, ""),
    ],
    ids=["public", "without its subdomains", "public without TLS", "this machine"],
)
def test_the_names_by_the_settings(site: dict[str, str], prefix: str) -> None:
    script = (
        "import json\nfrom marrakech_site import settings as s\n"
        "print(json.dumps([s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.LANGUAGE_COOKIE_NAME]))"
    )
    words = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, **site},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    plain = ("sessionid", "csrftoken", "language")
    assert json.loads(words) == [f"{prefix}{name}" for name in plain]


def test_every_cookie_of_a_public_site_is_for_this_host_alone(public: None, yasmin: Player) -> None:
    client = Client()
    form = {"login": "yasmin", "password": PASSWORD, "remember": "on"}
    client.get("/accounts/login/")
    client.post("/accounts/login/", form)
    client.post("/language/", {"language": "ro", "next": "/"})
    client.get("/archive/?view=list")
    client.post("/settings/", {"display_name": "x" * 3})
    visitor = Client()
    for number in (1, 2):
        visitor.get(f"/learn/marrakech/{number}/")
    found = {**client.cookies, **visitor.cookies}
    assert {f"{PREFIX}{name}" for name in ("sessionid", "csrftoken", "language", "archive")} <= {
        *found
    }
    for name, cookie in found.items():
        assert name.startswith(PREFIX), name
        assert (cookie["path"], cookie["domain"], bool(cookie["secure"])) == ("/", "", True), name


def test_nobody_is_signed_out_by_the_upgrade(old: Client, settings: Any) -> None:
    key = old.cookies["sessionid"].value
    page = old.get("/settings/")
    assert page.status_code == 200
    assert page["Content-Language"] == "pl"
    assert "Clear-Site-Data" not in page
    given = page.cookies[f"{PREFIX}sessionid"]
    assert given.value == key
    assert given["max-age"] == pytest.approx(settings.SESSION_COOKIE_AGE, abs=60)
    assert given["secure"]
    assert given["httponly"]
    assert page.cookies[f"{PREFIX}language"].value == "pl"
    assert named(old)["sessionid"] == key, "a process of the release before may answer next"
    again = old.get("/settings/")
    assert f"{PREFIX}sessionid" not in again.cookies, "once is enough"


def test_a_session_until_the_browser_closes_stays_one(yasmin: Player, settings: Any) -> None:
    client = Client()
    client.post(reverse("account_login"), {"login": "yasmin", "password": PASSWORD})
    settings.COOKIE_PREFIX = PREFIX
    settings.SESSION_COOKIE_NAME = f"{PREFIX}sessionid"
    given = client.get("/settings/").cookies[f"{PREFIX}sessionid"]
    assert given.value
    assert given["max-age"] == ""


def test_a_stream_knows_a_session_by_either_name(public: None) -> None:
    for name in ("sessionid", f"{PREFIX}sessionid"):
        headers = [(b"cookie", f"{name}=abc".encode())]
        scope = {"type": "http", "method": "GET", "path": "/live/", "query_string": b"home"}
        request = ASGIRequest({**scope, "headers": headers}, BytesIO())
        assert _ticket(request) == Ticket("abc", None)


def test_who_signs_out_leaves_neither_cookie(old: Client) -> None:
    old.get("/settings/")
    old.post(reverse("account_logout"))
    assert not {"sessionid", f"{PREFIX}sessionid"} & set(named(old))
    assert old.get("/settings/").status_code == 302
    assert "Clear-Site-Data" not in old.get("/")


def test_an_old_session_that_has_ended_goes_once(old: Client) -> None:
    Session.objects.all().delete()
    ended = old.get("/settings/")
    assert ended.status_code == 302
    assert "Clear-Site-Data" in ended
    assert "sessionid" not in named(old)
    assert "Clear-Site-Data" not in old.get("/settings/")


def test_a_planted_old_cookie_does_not_beat_the_new_one(
    public: None, yasmin: Player, django_user_model: Any
) -> None:
    attacker = django_user_model.objects.create_user("mallory", "m@souk.example", PASSWORD)
    theirs = signed_in(attacker).cookies[f"{PREFIX}sessionid"].value
    client = signed_in(yasmin)
    client.cookies["sessionid"] = theirs
    client.cookies["csrftoken"] = "a" * 32
    page = client.get("/settings/")
    assert page.wsgi_request.user == yasmin
    assert named(client)[f"{PREFIX}sessionid"] != theirs


def test_a_form_that_was_open_during_the_upgrade_is_taken(
    yasmin: Player, settings: Any, request: pytest.FixtureRequest
) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/accounts/login/").content.decode()
    token = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    request.getfixturevalue("public")
    form = {"login": "yasmin", "password": PASSWORD, "csrfmiddlewaretoken": token}
    assert client.post("/accounts/login/", form).status_code == 302


def test_a_message_that_waited_is_shown_once(old: Client, rf: RequestFactory) -> None:
    from django.contrib.messages.storage.base import Message

    storage: Any = CookieStorage(rf.get("/"))
    old.cookies["messages"] = storage._encode([Message(20, "Saved before.")])
    assert "Saved before." in old.get("/settings/").content.decode()
    assert "Saved before." not in old.get("/settings/").content.decode()


def test_what_was_answered_before_the_upgrade_is_still_known(
    public: None, rf: RequestFactory
) -> None:
    before = get_cookie_signer(salt="tried" + "tried").sign("7 A1")
    request = rf.get("/")
    request.COOKIES = with_old_names({"tried": before})
    assert puzzles._tried(request, type("Puzzle", (), {"pk": 7})()) == "A1"
    request.COOKIES = with_old_names({"tried": before + "x"})
    assert puzzles._tried(request, type("Puzzle", (), {"pk": 7})()) == ""


def test_answers_for_everybody_carry_no_cookie(old: Client) -> None:
    assert not old.get("/robots.txt").cookies


def test_the_time_zone_is_guessed_by_either_name(public: None, yasmin: Player) -> None:
    for name in ("tz", f"{PREFIX}tz"):
        Player.objects.update(time_zone="")
        client = signed_in(Player.objects.get(pk=yasmin.pk))
        client.cookies[name] = "Africa/Casablanca"
        client.get("/settings/")
        yasmin.refresh_from_db()
        assert yasmin.time_zone == "Africa/Casablanca"


def test_on_plain_http_no_name_has_changed(yasmin: Player) -> None:
    client = Client()
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"login": "yasmin", "password": PASSWORD})
    client.post("/language/", {"language": "ro", "next": "/"})
    assert set(named(client)) == {"sessionid", "csrftoken", "language"}
