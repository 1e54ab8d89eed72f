"""People who play by HTTP, and do not stop sending a move before they know what became of it."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, connection

from games.models import Game, Player
from tests.outages.browser import Answer, Browser
from tests.people import legal, whose_turn

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
TOKEN = "c" * 32
Sent = dict[tuple[int, int], set[str]]
"""By game and number of moves: actions."""


def browser_of(player: Player, port: int) -> Browser:
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    browser = Browser(port)
    browser.keep("sessionid", session.session_key or "")
    browser.keep("csrftoken", TOKEN)
    return browser


@dataclass
class Table(Thread):
    """The people of one game, who play against each other or against bots."""

    game: Game
    browsers: Mapping[int, Sequence[Browser]]
    enough: Event
    seed: int
    sent: Sent = field(default_factory=dict)
    accepted: Sent = field(default_factory=dict)
    troubled: int = 0

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.chance = random.Random(self.seed)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        while not self.enough.is_set():
            try:
                self._decide()
            except DatabaseError:
                connection.close()
            self.enough.wait(self.chance.uniform(0.2, 1.0))
        connection.close()

    def _decide(self) -> None:
        self.game.refresh_from_db()
        if self.game.status != Game.Status.RUNNING:
            self.enough.wait(1)
            return
        player = whose_turn(self.game)
        if player.bot_level:
            return
        on, action = self.game.move_count, self.chance.choice(legal(self.game))
        key = (self.game.pk, on)
        self.sent.setdefault(key, set()).add(action)
        while not self.enough.is_set():
            answer = self._post(player, on, action)
            if answer and answer.status == 200:
                self.accepted.setdefault(key, set()).add(action)
                if self.chance.random() < 0.2:
                    self._post(player, on, action)  # a second tap
                return
            if answer and answer.status < 500:
                return
            self.troubled += 1
            time.sleep(0.5)

    def _post(self, player: Player, on: int, action: str) -> Answer | None:
        browser = self.chance.choice(self.browsers[player.pk])
        try:
            return browser.post(f"{self.game.get_absolute_url()}move/", action=action, on=str(on))
        except OSError:
            return None
