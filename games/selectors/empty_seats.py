"""Seats of a waiting game that an invited player declined, or did not answer for in time."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import titles
from games.models import Game, Invitation, Seat

OPEN_AGAIN_FOR = timedelta(days=14)
"""After a game expired the player who opened it can still bring it to its start."""


def unanswered(game: Game) -> QuerySet[Invitation]:
    """The invitations that were neither accepted nor declined."""
    sits = Seat.objects.filter(game=OuterRef("game"), player=OuterRef("player"))
    return game.invitations.filter(~Exists(sits), declined_at=None)


def can_be_reopened(game: Game) -> bool:
    return bool(game.expires_at and game.expires_at + OPEN_AGAIN_FOR > timezone.now())


def ways_on(game: Game) -> dict[str, str]:
    """What the player who opened the game can do: the name of each address, and its label."""
    ways = {}
    if game.visibility != Game.Visibility.PUBLIC:
        ways["open_to_all"] = _("Open to all")
    ways["invite_another"] = _("Invite another player")
    title = titles.find(game.ruleset)
    if title and title.bot_levels:
        ways["fill_a_seat"] = _("Fill with a bot")
    return ways
