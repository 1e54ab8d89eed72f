"""When something is wrong, a page in the look and language of the site says so."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.template import TemplateDoesNotExist
from django.test import Client, RequestFactory

from games.views import errors
from tests.people import new_player, signed_in
from tests.site.wrong import WRONG


@pytest.fixture
def client(settings: Any) -> Client:
    settings.ROOT_URLCONF = "tests.site.wrong"
    return Client(raise_request_exception=False, headers={"Accept-Language": "pl"})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("400", "To żądanie jest niezrozumiałe"),
        ("403", "To nie dla Ciebie"),
        ("404", "Tu nic nie ma"),
        ("500", "Coś poszło nie tak"),
    ],
)
def test_each_has_a_page_of_its_own(client: Client, kind: str, title: str) -> None:
    answer = client.get(f"/wrong/{kind}/" if kind in WRONG else "/nowhere/")
    page = answer.content.decode()
    assert answer.status_code == int(kind)
    assert '<html lang="pl"' in page
    assert 'class="brand"' in page
    assert title in page
    assert ("/accounts/login/?next=" in page) == (kind in ("403", "404"))


@pytest.mark.django_db
def test_the_page_is_in_the_theme_of_its_reader(client: Client) -> None:
    client.force_login(new_player("Yasmin", theme="dark"))
    page = client.get("/nowhere/").content.decode()
    assert 'data-theme="dark"' in page
    assert "/accounts/login/" not in page


def test_a_page_that_cannot_be_drawn_becomes_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise TemplateDoesNotExist("error.html")

    monkeypatch.setattr(errors, "render_to_string", broken)
    answer = errors.broken(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert answer.headers["Content-Type"] == "text/plain"
    assert answer.content.decode().startswith("Something went wrong\n")


@pytest.mark.django_db
def test_a_fresh_token_is_for_whom_the_page_was_made() -> None:
    yasmin, omar = new_player("Yasmin"), new_player("Omar")
    client = signed_in(yasmin, enforce_csrf_checks=True)

    def post(**headers: str) -> Any:
        return client.post("/language/", {"language": "pl"}, headers=headers)

    assert "X-CSRFToken" not in post().headers
    assert "X-CSRFToken" not in post(**{"X-Player": str(omar.pk)}).headers
    assert "X-CSRFToken" not in post(**{"X-Player": ""}).headers
    refused = post(**{"X-Player": str(yasmin.pk)})
    assert refused.status_code == 403
    assert settings.CSRF_COOKIE_NAME in refused.cookies
    token = refused.headers["X-CSRFToken"]
    assert post(**{"X-CSRFToken": token}).status_code == 302
