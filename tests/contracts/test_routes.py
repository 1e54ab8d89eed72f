"""Addresses, their names and methods. That a GET has no effect is seen in `tests/attack`."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, resolve, reverse

from games import urls
from games.models import Game, Player
from tests.contracts.addresses import ACCOUNTS, MAY_MOVE, STAY
from tests.i18n.inhabited import at_home

EVERY = [*STAY, *MAY_MOVE, *ACCOUNTS]


def allowed(methods: str) -> set[str]:
    return set(methods.split()) | ({"HEAD"} if "GET" in methods else set())


def test_an_address_is_known_by_its_name() -> None:
    for path, _methods, name in EVERY:
        found = resolve(path)
        assert found.view_name == name
        assert reverse(name, args=found.args, kwargs=_given(found)) == path


def _given(found: Any) -> dict[str, Any]:
    """Without what the route adds by itself."""
    named = set(re.findall(r"<(?:\w+:)?(\w+)>", found.route))
    return {key: value for key, value in found.kwargs.items() if key in named}


def test_every_address_of_the_site_is_in_the_table() -> None:
    known = {resolve(path).route for path, *_ in EVERY}
    routes = {str(each.pattern) for each in urls.urlpatterns if isinstance(each, URLPattern)}
    assert routes <= known
    assert len(urls.urlpatterns) == len(STAY) + len(MAY_MOVE)


def test_the_log_and_metrics_recognise_what_is_secret() -> None:
    """By the name of the argument."""
    secret = [path for path, *_ in [*STAY, *MAY_MOVE] if "TOKEN" in path]
    assert len(secret) == 6
    for path in secret:
        assert re.search(r"<str:\w*token>", resolve(path).route), path


@pytest.mark.django_db
def test_an_address_takes_its_methods_and_no_other(game: Game, two: list[Player]) -> None:
    """Whatever else is sent is refused before anything is done."""
    yasmin = two[0]
    yasmin.is_staff = yasmin.is_superuser = True
    yasmin.save()
    client = Client()
    client.force_login(yasmin)
    at_home(client, yasmin)
    wrong = []
    for path, methods, _name in [*STAY, *MAY_MOVE]:
        taken = allowed(methods)
        method = next(each for each in ("GET", "POST", "DELETE") if each not in taken)
        answer = client.generic(method, path)
        if answer.status_code != 405 or set(answer["Allow"].split(", ")) != taken:
            wrong.append((path, method, answer.status_code, answer.get("Allow")))
    assert wrong == []
