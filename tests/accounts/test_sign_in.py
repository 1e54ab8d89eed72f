from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from games.models import Player
from tests.accounts.conftest import PASSWORD, delivered, last_code

LOGIN = "/accounts/login/"


def sign_in(client: Client, login: str, password: str = PASSWORD, **more):
    return client.post(LOGIN, {"login": login, "password": password, **more})


@pytest.mark.parametrize("page", ["login/", "login/code/", "signup/", "password/reset/"])
def test_a_page_is_headed_by_its_title(db, client, page):
    html = client.get(f"/accounts/{page}").content.decode()
    (title,) = re.findall("<title>(.+) – Souk</title>", html)
    assert re.findall("<h1>(.+)</h1>", html) == [title]


@pytest.mark.parametrize(
    "login", ["Yasmin", "yasmin", "yasmin@souk.example", "YASMIN@souk.example"]
)
def test_name_or_address_and_password(yasmin, client, login):
    assert sign_in(client, login, next="/settings/").headers["Location"] == "/settings/"
    assert client.session["_auth_user_id"] == str(yasmin.pk)


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_only_safe_places_are_next(yasmin, client, target):
    assert sign_in(client, "Yasmin", next=target).headers["Location"] == "/"


def test_a_code_signs_in_and_keeps_next(yasmin, client):
    response = client.post(
        "/accounts/login/code/", {"email": "yasmin@souk.example", "next": "/settings/"}
    )
    page = client.get(response.headers["Location"])
    assert 'name="next" value="/settings/"' in page.content.decode()
    response = client.post(
        "/accounts/login/code/confirm/", {"code": last_code().lower(), "next": "/settings/"}
    )
    assert response.headers["Location"] == "/settings/"
    assert client.session["_auth_user_id"] == str(yasmin.pk)


def test_a_code_of_one_browser_is_worth_nothing_in_another(yasmin, client):
    client.post("/accounts/login/code/", {"email": "yasmin@souk.example"})
    other = Client()
    other.post("/accounts/login/code/confirm/", {"code": last_code()})
    assert "_auth_user_id" not in other.session


def test_a_forgotten_password_is_replaced_with_a_code(yasmin, client):
    response = client.post("/accounts/password/reset/", {"email": "yasmin@souk.example"})
    client.post(response.headers["Location"], {"code": last_code()})
    response = client.post("/accounts/password/reset/complete/", {"password1": "closed-sesame-43"})
    assert response.status_code == 302
    assert client.session["_auth_user_id"] == str(yasmin.pk)
    yasmin.refresh_from_db()
    assert yasmin.check_password("closed-sesame-43")
    assert delivered()[-1].subject == "Your password was changed"


def test_a_new_address_counts_once_it_is_proven(yasmin, client):
    client.force_login(yasmin)
    response = client.post("/accounts/email/", {"email": "new@souk.example", "action_add": ""})
    assert response.headers["Location"].startswith("/accounts/reauthenticate/")
    response = client.post(
        response.headers["Location"], {"password": PASSWORD, "next": "/accounts/email/"}
    )
    assert response.headers["Location"] == "/accounts/confirm-email/"
    assert [a.email for a in EmailAddress.objects.all()] == ["yasmin@souk.example"]

    assert (
        client.post("/accounts/confirm-email/", {"code": last_code()}).headers["Location"]
        == "/settings/"
    )

    assert [(a.email, a.verified) for a in EmailAddress.objects.all()] == [
        ("new@souk.example", True)
    ]
    yasmin.refresh_from_db()
    assert yasmin.email == "new@souk.example"
    assert delivered()[-1].to == ["yasmin@souk.example"]
    assert "new@souk.example" in str(delivered()[-1].body)


def test_sign_out_everywhere(yasmin):
    here, there = Client(), Client()
    for browser in (here, there):
        sign_in(browser, "Yasmin")
    assert UserSession.objects.count() == 2
    here.post("/settings/sign-out-everywhere/")
    for browser in (here, there):
        assert browser.get("/settings/").status_code == 302
    assert not UserSession.objects.exists()


def test_sign_out_everywhere_else(yasmin):
    here, there = Client(), Client()
    for browser in (here, there):
        sign_in(browser, "Yasmin")
    page = here.get("/accounts/sessions/").content.decode()
    assert "this device" in page
    here.post("/accounts/sessions/")
    assert here.get("/settings/").status_code == 200
    assert there.get("/settings/").status_code == 302


def test_sign_out_takes_a_post(yasmin, client):
    client.force_login(yasmin)
    assert client.get("/accounts/logout/").status_code == 200
    assert "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


def test_mails_speak_of_souk_alone(yasmin):
    for path in ("/accounts/login/code/", "/accounts/password/reset/"):
        for email in ("yasmin@souk.example", "nobody@souk.example"):
            Client().post(path, {"email": email})
    assert len(delivered()) == 4
    for message in delivered():
        assert isinstance(message, EmailMultiAlternatives)
        html = str(message.alternatives[0][0])
        for text in (message.subject, message.body, html):
            assert "example.com" not in text
            assert "testserver" not in text
        assert "Souk" in message.subject
        assert message.extra_headers["Message-ID"].endswith("@127.0.0.1>")
        assert message.extra_headers["Auto-Submitted"] == "auto-generated"


def test_a_deleted_player_is_nobody(yasmin, client):
    client.force_login(yasmin)
    Player.objects.update(is_active=False)
    assert client.get("/settings/").status_code == 302
