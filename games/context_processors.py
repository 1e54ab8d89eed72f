"""What every page may show without its view knowing."""

from __future__ import annotations

from django.http import HttpRequest

from games.kept_mail import folder
from games.models import Player
from games.selectors.lobby import waiting_count


def waiting(request: HttpRequest) -> dict[str, int]:
    """How many games wait for this player; counted before the page is rendered."""
    player = getattr(request, "user", None)
    return {"waiting": waiting_count(player) if isinstance(player, Player) else 0}


def mailbox(request: HttpRequest) -> dict[str, bool]:
    return {"mail_is_kept": folder.is_readable(request)}
