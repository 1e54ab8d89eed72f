from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import signing

from games import bell
from games.models import Game, Player, Seat
from tests.history.archive import stored_game
from tests.people import new_player

MADE = 1794830400.0
"""Noon of 16 November 2026 (`NOON`), when the frozen links were signed."""


@pytest.fixture
def key_of_yesterday(settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The secret key under which the frozen links were signed; what is old ends at that time."""
    settings.SECRET_KEY = "a key of yesterday, for contracts alone"
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: MADE))
    bell.channel.cache_clear()
    yield
    bell.channel.cache_clear()


@pytest.fixture
def two(db: None) -> list[Player]:
    return [new_player("Yasmin", id=101), new_player("Omar", id=102)]


@pytest.fixture
def game(two: list[Player]) -> Game:
    """After ten moves, always the same ones; Omar is to move, and has seat 202."""
    names: dict[str, Any] = {"id": 601, "public_id": "c0ntract2345", "rated": False}
    game = stored_game(two, until=10, **names)
    assert game.to_act
    assert game.to_act.player == two[1]
    Game.objects.filter(pk=game.pk).update(to_act=None)
    for player, seat in zip(two, (201, 202), strict=True):
        Seat.objects.filter(game=game, player=player).update(id=seat)
    Game.objects.filter(pk=game.pk).update(to_act=202)
    return Game.objects.get(pk=601)
