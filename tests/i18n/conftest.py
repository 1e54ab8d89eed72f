from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from tests.people import new_player


@pytest.fixture
def yasmin(db: None) -> Player:
    return new_player("Yasmin")


@pytest.fixture
def me(yasmin: Player) -> Client:
    """The browser of Yasmin."""
    client = Client()
    client.force_login(yasmin, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client
