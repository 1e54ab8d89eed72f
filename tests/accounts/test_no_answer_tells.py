"""For a stranger, an address that exists and one that does not look the same."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from games.models import Player
from tests.accounts.conftest import PASSWORD, delivered, seen
from tests.people import new_player, signed_in

KNOWN, UNKNOWN = "yasmin@souk.example", "nobody@souk.example"
# Every page says for whom it was made; these are made for two players.
OWN_NUMBER = re.compile(r'data-who="\d+"|"x-player": "\d+"')


def told(steps, email: str, client: Client | None = None) -> list[str]:
    client = client or Client()
    answers = []
    for path, data in steps:
        form = {name: value.replace("EMAIL", email) for name, value in data.items()}
        response = client.post(path, form) if data else client.get(path)
        answers.append(seen(response, email, form.get("username", "\0")))
    return answers


CONFIRM = "/accounts/confirm-email/"
SIGN_UP = [
    ("/accounts/signup/", {"username": "NAME", "email": "EMAIL", "password1": PASSWORD}),
    (CONFIRM, {}),
    (CONFIRM, {"code": "BBBB-BBBB"}),
    (CONFIRM, {"action": "resend"}),
    (CONFIRM, {}),
    (CONFIRM, {"action": "change", "email": "EMAIL"}),
    (CONFIRM, {}),
]
LOGIN_CODE = [
    ("/accounts/login/code/", {"email": "EMAIL"}),
    ("/accounts/login/code/confirm/", {}),
    ("/accounts/login/code/confirm/", {"code": "BBBB-BBBB"}),
    ("/accounts/login/code/confirm/", {"action": "resend"}),
    ("/accounts/login/code/confirm/", {}),
    ("/accounts/login/code/confirm/", {"code": "BBBB-BBBB"}),
    ("/accounts/login/code/confirm/", {"code": "BBBB-BBBB"}),
]
RESET = [
    ("/accounts/password/reset/", {"email": "EMAIL"}),
    ("/accounts/password/reset/confirm/", {}),
    ("/accounts/password/reset/confirm/", {"code": "BBBB-BBBB"}),
]
PASSWORD_LOGIN = [("/accounts/login/", {"login": "EMAIL", "password": "wrong-sesame"})]


@pytest.mark.parametrize("steps", [LOGIN_CODE, RESET, PASSWORD_LOGIN])
def test_signing_in(yasmin, steps):
    assert told(steps, KNOWN) == told(steps, UNKNOWN)


def test_signing_up(yasmin):
    def steps(name: str):
        return [(p, {k: v.replace("NAME", name) for k, v in d.items()}) for p, d in SIGN_UP]

    assert told(steps("Probe1"), KNOWN) == told(steps("Probe2"), UNKNOWN)
    assert delivered()[0].subject == "Your account at Souk"
    assert delivered()[0].to == [KNOWN]
    # Nor does it tell whether the name is taken afterwards, or what its password opens.
    for email in (KNOWN, UNKNOWN):
        assert Player.objects.filter(email=email).exclude(pk=yasmin.pk).exists()
    again = "/accounts/login/"
    assert told([(again, {"login": "Probe1", "password": PASSWORD})], KNOWN) == told(
        [(again, {"login": "Probe2", "password": PASSWORD})], UNKNOWN
    )


def test_changing_the_address(yasmin):
    answers = []
    for name, email in (("Omar", KNOWN), ("Wei", UNKNOWN)):
        player = new_player(name)
        client = signed_in(player)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        steps = [
            ("/accounts/email/", {"email": "EMAIL", "action_add": "1"}),
            (CONFIRM, {}),
            (CONFIRM, {"code": "BBBB-BBBB"}),
        ]
        answers.append(
            [
                OWN_NUMBER.sub("", answer.replace(name, "…").replace(name.lower(), "…"))
                for answer in told(steps, email, client)
            ]
        )
    assert answers[0] == answers[1]
    assert [message.subject for message in delivered()] == [
        "Your account at Souk",
        "Your code for Souk",
    ]


def test_an_address_is_checked_against_one_password_either_way(yasmin, monkeypatch):
    """A second check for an address that exists would take twice as long."""
    checks: list[str] = []
    encode = MD5PasswordHasher.encode

    def encode_and_count(self, password, salt):
        checks.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", encode_and_count)
    counts = []
    for email in (KNOWN, UNKNOWN):
        checks.clear()
        told(PASSWORD_LOGIN, email)
        counts.append(len(checks))
    assert counts == [1, 1]
