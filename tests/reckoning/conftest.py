from __future__ import annotations

from dataclasses import replace

import pytest

from games import titles
from games.models import Game
from tests.history.archive import people, stored_game


@pytest.fixture
def unjudged(db: None, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A finished game of a room without a judge."""
    key = "ifrito"
    monkeypatch.setitem(titles.TITLES, key, replace(titles.TITLES[key], is_judged=False))
    return stored_game(people("Ann", "Bob"), ruleset=key)


@pytest.fixture
def finished(db: None) -> Game:
    """A whole game of two, by random players."""
    return stored_game(people("Omar", "Wei"), seed=3)
