"""What moderators did, said to whom it concerns: by mail, and in the same words on pages."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Act, Player
from games.selectors.accounts import is_confirmed
from games.selectors.clock import zone_of
from games.selectors.moderation import told
from games.services.notices.links import absolute
from games.services.notices.written import Content, write_to


def send(act: Act, players: Iterable[Player]) -> None:
    """By the outbox, whatever mail a player wants otherwise: nobody should have to find out."""
    for player in players:
        if is_confirmed(player):
            write_to(address=player.email, content=written(act, player), now=act.at)


def written(act: Act, player: Player) -> Content:
    language = player.language if player.language in dict(settings.LANGUAGES) else None
    with (
        translation.override(language or settings.LANGUAGE_CODE),
        timezone.override(zone_of(player)),
    ):
        context = {
            "told": told(act, player),
            "reason": act.reason,
            "url": absolute(act.game.get_absolute_url()) if act.game else "",
            "site_url": settings.SITE_URL,
        }
        return Content(
            subject=_("A word from the moderators of Souk"),
            text=render_to_string("games/mail/moderation.txt", context).strip() + "\n",
            html=render_to_string("games/mail/moderation.html", context),
        )
