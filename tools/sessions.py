"""Signing players in without their passwords: for pictures and measurements."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from games.models import Player


def session_key(player: Player) -> str:
    """Of a new session of this player."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def session_cookie(player: Player, url: str) -> Any:
    """The same as a browser that is led by Playwright takes it."""
    return {"name": settings.SESSION_COOKIE_NAME, "value": session_key(player), "url": url}
