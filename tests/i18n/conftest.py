from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from tests.people import new_player, signed_in


@pytest.fixture
def yasmin(db: None) -> Player:
    return new_player("Yasmin")


@pytest.fixture
def me(yasmin: Player) -> Client:
    """The browser of Yasmin."""
    return signed_in(yasmin)
