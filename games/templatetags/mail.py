"""The card about mail, for the pages of others."""

from __future__ import annotations

from typing import Any

from django import template

from games.models import Game, Seat

register = template.Library()


@register.inclusion_tag("games/mail/_game_wish.html", takes_context=True)
def mail_about_game(context: template.Context, game: Game, seat: Seat) -> dict[str, Any]:
    return {
        "game": game,
        "seat": seat,
        "wishes": Seat.Mail.choices,
        "csrf_token": context.get("csrf_token"),
    }
