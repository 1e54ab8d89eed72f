"""Players and games for tests, and the browsers of these players."""

from __future__ import annotations

from typing import Any

from django.test import Client

from games.forms.settings import Settings
from games.models import Player
from tools.sample_games import (
    NAMES,
    NOON,
    START,
    Tables,
    actor,
    confirm,
    decide,
    do,
    legal,
    new_player,
    new_players,
    open_game,
    play_on,
    started_game,
    sweep,
    take_turn,
    tell_everybody,
    whose_turn,
)

__all__ = [
    "NAMES",
    "NOON",
    "START",
    "Tables",
    "actor",
    "confirm",
    "decide",
    "do",
    "legal",
    "new_player",
    "new_players",
    "open_game",
    "play_on",
    "settings_of",
    "signed_in",
    "started_game",
    "sweep",
    "take_turn",
    "tell_everybody",
    "whose_turn",
]


def signed_in(player: Player, **how: Any) -> Client:
    """A browser of the player."""
    client = Client(**how)
    client.force_login(player)
    return client


def settings_of(player: Player, **changes: str) -> dict[str, str]:
    """The form of the settings as the page shows it, with these changes."""
    shown = {
        name: "on" if value is True else str("" if value is None else value)
        for section in Settings(player=player).sections
        for name, value in section.initial.items()
        if value is not False
    }
    return {name: value for name, value in {**shown, **changes}.items() if value != "off"}
