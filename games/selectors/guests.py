"""Who a visitor without account is, if the visitor has played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.models import Player

KEPT_AS = "guest"
"""The number of the guest, in the session."""

STAYS = "stays-signed-in"
"""Whether whoever is about to sign in wants to stay for longer than the browser is open."""


def guest_of(session: Mapping[str, Any]) -> Player | None:
    number = session.get(KEPT_AS)
    return Player.objects.filter(pk=number, is_guest=True).first() if number else None
