"""Whoever signs in chooses whether the browser remembers it: for every way of signing in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Player
from tests.accounts.conftest import PASSWORD, last_code
from tests.accounts.test_second_factor import protected, shown_now

SIXTY_DAYS = 60 * 24 * 3600
NAME = {"login": "yasmin", "password": PASSWORD}


def by_password(client: Client, choice: dict[str, str]) -> None:
    client.post(reverse("account_login"), {**NAME, **choice})


def by_code(client: Client, choice: dict[str, str]) -> None:
    address = {"email": "yasmin@souk.example"}
    client.post(reverse("account_request_login_code"), {**address, **choice})
    client.post(reverse("account_confirm_login_code"), {"code": last_code()})


def by_second_factor(client: Client, choice: dict[str, str]) -> None:
    protected(Player.objects.get(username="Yasmin"))
    by_password(client, choice)
    client.post(reverse("mfa_authenticate"), {"code": shown_now()})


def by_code_and_second_factor(client: Client, choice: dict[str, str]) -> None:
    protected(Player.objects.get(username="Yasmin"))
    by_code(client, choice)
    client.post(reverse("mfa_authenticate"), {"code": shown_now()})


def by_a_new_password(client: Client, choice: dict[str, str]) -> None:
    client.post(reverse("account_reset_password"), {"email": "yasmin@souk.example"})
    client.post(reverse("account_confirm_password_reset_code"), {"code": last_code()})
    client.post(
        reverse("account_complete_password_reset"), {"password1": "open-barley-43", **choice}
    )


def by_signing_up(client: Client, choice: dict[str, str]) -> None:
    form = {"username": "Omar", "email": "omar@souk.example", "password1": PASSWORD}
    client.post(reverse("account_signup"), {**form, **choice})
    client.post(reverse("account_email_verification_sent"), {"code": last_code()})


def as_a_guest_who_signs_up(client: Client, choice: dict[str, str]) -> None:
    become_guest(client)
    by_signing_up(client, choice)


def become_guest(client: Client) -> None:
    page = client.get("/play/")
    first = page.context["form"]
    form = {name: first[name].value() for name in first.fields}
    client.post("/play/", {name: text for name, text in form.items() if text is not None})
    assert Game.objects.filter(creator__is_guest=True).exists()


WAYS = [
    by_password,
    by_code,
    by_second_factor,
    by_code_and_second_factor,
    by_a_new_password,
    by_signing_up,
    as_a_guest_who_signs_up,
]
ways = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


@ways
def test_ticked_it_lasts_sixty_days(
    client: Client, yasmin: Player, way: Callable[[Client, dict[str, str]], None]
) -> None:
    way(client, {"remember": "on"})
    assert client.get("/settings/").status_code == 200
    assert client.cookies["sessionid"]["max-age"] == SIXTY_DAYS


@ways
def test_unticked_it_lasts_until_the_browser_is_closed(
    client: Client, yasmin: Player, way: Callable[[Client, dict[str, str]], None]
) -> None:
    way(client, {})
    assert client.get("/settings/").status_code == 200
    cookie = client.cookies["sessionid"]
    assert cookie.value
    assert (cookie["max-age"], cookie["expires"]) == ("", "")


@pytest.mark.parametrize("page", ["account_login", "account_request_login_code", "account_signup"])
def test_it_is_ticked_at_first(client: Client, db: None, page: str) -> None:
    text = client.get(reverse(page)).content.decode()
    box = text[text.index('name="remember"') :].partition(">")[0]
    assert "checked" in box
    assert "Stay signed in" in text


def test_the_choice_is_kept_when_the_password_was_wrong(client: Client, yasmin: Player) -> None:
    page = client.post(reverse("account_login"), {"login": "yasmin", "password": "wrong"})
    box = page.content.decode().partition('name="remember"')[2].partition(">")[0]
    assert "checked" not in box
    assert not client.cookies.get("sessionid"), "a guess leaves no session behind"


def test_an_unfinished_sign_in_does_not_shorten_the_session_of_a_guest(
    client: Client, yasmin: Player
) -> None:
    become_guest(client)
    protected(yasmin)
    by_password(client, {})
    assert client.get(reverse("mfa_authenticate")).status_code == 200
    assert client.session.get_expiry_age() == SIXTY_DAYS
    assert not client.session.get_expire_at_browser_close()


def test_who_signs_in_later_chooses_anew(client: Client, yasmin: Player) -> None:
    by_password(client, {})
    client.post(reverse("account_logout"))
    by_password(client, {"remember": "on"})
    assert client.cookies["sessionid"]["max-age"] == SIXTY_DAYS


def test_a_new_password_does_not_change_the_choice(client: Client, yasmin: Player) -> None:
    by_password(client, {})
    form: dict[str, Any] = {"oldpassword": PASSWORD, "password1": "open-barley-43"}
    client.post(reverse("account_change_password"), form)
    assert client.get("/settings/").status_code == 200
    assert client.cookies["sessionid"]["max-age"] == ""
