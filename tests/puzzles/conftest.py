from __future__ import annotations

import pytest

from games.models import Game
from tests.history.archive import people, stored_game
from tests.people import NOON


@pytest.fixture
def finished(db: None) -> Game:
    """A whole public game of two."""
    return stored_game(people("Omar", "Wei"), seed=3)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the day of the puzzles of these tests."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
