from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.models import Game, Player
from tests.people import signed_in, started_game


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Game]:
    """A game whose dice are known, because its seed is this number."""

    def start(seed: int, players: list[Player], **wishes: Any) -> Game:
        with monkeypatch.context() as patch:
            patch.setattr(
                "games.services.seating.secrets.token_bytes", lambda size: seed.to_bytes(size)
            )
            return started_game(players, **wishes)

    return start


@pytest.fixture
def browse() -> Callable[[Player | None], Client]:
    def open_browser(player: Player | None = None, **how: Any) -> Client:
        return signed_in(player, **how) if player else Client(**how)

    return open_browser
