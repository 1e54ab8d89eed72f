"""The session of a request, as far as services need to know it."""

from __future__ import annotations

import secrets

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Refused

MARK = "mark"
"""Unlike its key, a session keeps its mark when the player signs in or changes the password."""


def mark_of(session: SessionBase) -> str:
    """Empty as long as nothing asked for one."""
    return str(session.get(MARK, ""))


def marked(session: SessionBase) -> str:
    if MARK not in session:
        session[MARK] = secrets.token_urlsafe(32)
    return mark_of(session)


def must_be_signed_in(session: SessionBase, player: Player) -> None:
    """Refuse a session that has ended since the request began.

    The caller has locked the player, as whoever ends sessions does: without that, a device could be
    added between the end of the session and the removal of the devices.
    """
    stored = type(session)(session.session_key)
    known = str(stored.get(HASH_SESSION_KEY, ""))
    good = [player.get_session_auth_hash(), *player.get_session_auth_fallback_hash()]
    if stored.get(SESSION_KEY) != str(player.pk) or not any(
        constant_time_compare(known, each) for each in good
    ):
        raise Refused(_("You have been signed out. Sign in again."))
