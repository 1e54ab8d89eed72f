"""Brains that need no compiling: the tests here are about the site around them."""

from __future__ import annotations

from typing import Any

import pytest

from games import bots


class Brains:
    """Plays and advises the first legal action, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any, int]] = []

    def choose(self, level: str, observation: Any, seed: int) -> str:
        self.asked.append((level, observation, seed))
        return str(observation["legal"][0])

    def advice(self, observation: Any, seed: int) -> bots.Advice | None:
        return bots.Advice(observation["legal"][0], 1.25)


@pytest.fixture
def brains(monkeypatch: pytest.MonkeyPatch) -> Brains:
    made = Brains()
    monkeypatch.setattr(bots, "ready", lambda: True)
    monkeypatch.setattr(bots, "choose", made.choose)
    monkeypatch.setattr(bots, "advice", made.advice)
    return made
