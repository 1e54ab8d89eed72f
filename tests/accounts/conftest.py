from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.models import Player
from games.services.notices import outbox
from tests.people import new_player

PASSWORD = "open-sesame-42"
CODE = re.compile(r"\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b")
CSRF = re.compile(r'(name="csrfmiddlewaretoken" value="|x-csrftoken": ")[A-Za-z0-9]+')


@pytest.fixture
def yasmin(db: None) -> Player:
    return new_player("Yasmin")


@pytest.fixture
def sign_up(db: None) -> Callable[..., Any]:
    """Send the sign-up form as a newcomer; gives the response and the newcomer's browser."""

    def send(
        name: str = "Omar", email: str = "omar@souk.example", **more: str
    ) -> tuple[Any, Client]:
        client = Client()
        form = {"username": name, "email": email, "password1": PASSWORD, **more}
        return client.post("/accounts/signup/", form), client

    return send


def delivered() -> list[mail.EmailMessage]:
    """All mails so far: a sender comes by, as it does at once in life."""
    outbox.drain(clock=timezone.now)
    return list(mail.outbox)


def last_code() -> str:
    latest = delivered()[-1]
    found = CODE.search(str(latest.body))
    assert found, latest.body
    return found[0]


def seen(response: Any, *private: str) -> str:
    """A response as a stranger sees it: without the tokens and without what was typed."""
    text = f"{response.status_code} {response.headers.get('Location', '')}\n"
    text += CSRF.sub(r"\1", response.content.decode())
    for word in private:
        text = text.replace(word, "…")
    return text
