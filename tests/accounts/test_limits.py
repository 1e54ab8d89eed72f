from __future__ import annotations

from itertools import count
from time import monotonic, sleep
from types import SimpleNamespace

import pytest
from allauth.core.internal import ratelimit
from django.test import Client, RequestFactory

from games.models import Notice
from marrakech_site.clients import client_ip, client_network
from tests.accounts.conftest import PASSWORD
from tests.people import new_player

WRONG = "wrong-sesame"


def attempt(name: str, password: str, ip: str = "198.51.100.1"):
    return Client(REMOTE_ADDR=ip).post("/accounts/login/", {"login": name, "password": password})


def lock(name: str, ip: str = "198.51.100.1") -> None:
    for _ in range(8):
        response = attempt(name, WRONG, ip)
    assert response.status_code == 429


@pytest.mark.parametrize("spelling", ["Yasmin", "yasmin"])
def test_the_ninth_attempt_is_not_heard(yasmin, spelling):
    lock("Yasmin")
    response = attempt(spelling, PASSWORD)
    assert response.status_code == 429
    assert "Too many attempts" in response.content.decode()
    assert "_auth_user_id" not in response.client.session


def test_a_lock_hits_one_name_from_one_place(yasmin):
    omar = new_player("Omar")
    lock("Yasmin")
    assert attempt("Yasmin", PASSWORD, ip="203.0.113.9").status_code == 302
    assert attempt(omar.username, PASSWORD).status_code == 302


def test_who_is_locked_out_cannot_use_up_the_attempts_of_the_others(yasmin):
    lock("Yasmin")
    for _ in range(45):
        assert attempt("Yasmin", WRONG).status_code == 429
    assert attempt("Yasmin", PASSWORD, ip="203.0.113.9").status_code == 302


def test_guessing_from_many_places_ends_too(yasmin):
    for n in range(50):
        assert attempt("Yasmin", WRONG, ip=f"203.0.113.{n}").status_code == 200
    response = attempt("Yasmin", PASSWORD, ip="203.0.113.200")
    assert "Too many attempts" in response.content.decode()


def test_a_success_clears_the_count(yasmin):
    for _ in range(3):
        for _ in range(5):
            attempt("Yasmin", WRONG)
        assert attempt("Yasmin", PASSWORD).status_code == 302


def test_unknown_names_are_locked_alike(db):
    lock("Nobody")


def test_sign_ups_and_codes_are_limited(db):
    statuses = [
        Client().post("/accounts/password/reset/", {"email": "x@souk.example"}).status_code
        for _ in range(6)
    ]
    assert statuses == [302] * 5 + [429]
    for n in range(20):
        Client().post("/accounts/signup/", {"username": f"n{n}"})
    response = Client().post("/accounts/signup/", {"username": "one-more"})
    assert response.status_code == 429
    assert "Too many requests" in response.content.decode()


def test_nobody_fills_the_mailbox_of_a_stranger(db, monkeypatch):
    """However patient: each sign-up, code and reset is a mail to whoever has that address."""
    passing = count(start=1_800_000_000, step=2)
    slow = SimpleNamespace(time=lambda: next(passing), monotonic=monotonic, sleep=sleep)
    monkeypatch.setattr(ratelimit, "time", slow)
    yasmin = new_player("Yasmin")
    for n in range(15):
        name = {"username": f"name{n}", "email": "victim@souk.example", "password1": PASSWORD}
        Client(REMOTE_ADDR=f"198.51.100.{n}").post("/accounts/signup/", name)
        for page in ("login/code", "password/reset"):
            Client(REMOTE_ADDR=f"198.51.100.{n}").post(
                f"/accounts/{page}/", {"email": yasmin.email}
            )
    sent = Notice.objects.filter(kind=Notice.Kind.ACCOUNT)
    assert sent.filter(address="victim@souk.example").count() == 6
    assert sent.filter(address=yasmin.email).count() == 20


@pytest.mark.parametrize("backend", ["file", "redis"])
def test_limits_hold_with_each_cache(backend, request, settings, tmp_path, db):
    if backend == "redis":
        location = request.getfixturevalue("redis_url")
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": location,
            }
        }
    else:
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
                "LOCATION": tmp_path,
            }
        }
    statuses = [
        Client().post("/accounts/password/reset/", {"email": "x@souk.example"}).status_code
        for _ in range(6)
    ]
    assert statuses == [302] * 5 + [429]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "203.0.113.9", "198.51.100.1"),
        (1, "", "198.51.100.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (2, "6.6.6.6, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", "203.0.113.9"),
        (1, "203.0.113.9:4711", "203.0.113.9"),
        (1, "[2001:DB8::1]:4711", "2001:db8::1"),
        (1, "2001:db8::1", "2001:db8::1"),
        (1, "nonsense", "198.51.100.1"),
    ],
)
def test_the_client_is_who_our_proxies_say(settings, proxies, forwarded, expected):
    settings.TRUSTED_PROXIES = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", headers=headers, REMOTE_ADDR="198.51.100.1")
    assert client_ip(request) == expected


def test_a_socket_file_has_no_address():
    assert client_ip(RequestFactory().get("/", REMOTE_ADDR="")) == "127.0.0.1"


def test_one_subscriber_is_one_network():
    def network(ip: str) -> str:
        return client_network(RequestFactory().get("/", REMOTE_ADDR=ip))

    assert network("2001:db8:1:2:3::4") == network("2001:db8:1:2:ffff::1") == "2001:db8:1:2::"
    assert network("198.51.100.1") == network("::ffff:198.51.100.1") == "198.51.100.1"


def test_the_lock_sees_through_the_proxy(settings, yasmin):
    settings.TRUSTED_PROXIES = 1

    def behind_proxy(password: str, ip: str) -> int:
        client = Client(REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": ip})
        return client.post(
            "/accounts/login/", {"login": "Yasmin", "password": password}
        ).status_code

    for _ in range(8):
        status = behind_proxy(WRONG, "6.6.6.6")
    assert status == 429
    assert behind_proxy(PASSWORD, "203.0.113.9") == 302
