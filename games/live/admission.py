"""Who may listen to what: asked when a stream opens, and again before it tells anything that
not everybody may know of."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.db.models import Prefetch

from games import bell
from games.models import Game, Player, Seat
from games.selectors import access
from games.selectors.guests import guest_of
from games.selectors.stamps import stamps_of


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a browser asks for: a game by its address, or (None) the first page."""

    session_key: str
    game: str | None


@dataclass(frozen=True, slots=True)
class Admission:
    topic: str
    player: int | None
    guarded: bool
    """Not for everybody: whether it still holds is asked again each time."""


def admit(ticket: Ticket) -> Admission | None:
    viewer = _viewer(ticket.session_key)
    if ticket.game is None:
        return Admission(bell.home_topic(viewer.pk), viewer.pk, True) if viewer else None
    game = _game(ticket.game)
    if game is None or not access.may_see(game, viewer):
        return None
    for_everybody = game.status != Game.Status.OPEN and access.may_see(game, None)
    return Admission(
        bell.game_topic(game.public_id), viewer.pk if viewer else None, not for_everybody
    )


def current_stamp(topic: str) -> str:
    return stamps_of([topic]).get(topic, "")


def _game(public_id: str) -> Game | None:
    seats = Seat.objects.only("game_id", "player_id")
    wanted = Game.objects.only("public_id", "ruleset", "visibility", "status")
    return wanted.prefetch_related(Prefetch("seats", seats)).filter(public_id=public_id).first()


def _viewer(session_key: str) -> Player | None:
    """Whoever is signed in, or plays as a guest."""
    if not session_key:
        return None
    session: Any = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    user = get_user(SimpleNamespace(session=session))  # type: ignore[arg-type]
    return user if isinstance(user, Player) else guest_of(session)
