"""Cards about mail and vacations, for the pages of others."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Player, Seat
from games.selectors.clock import vacation_left, vacations_to_come
from games.selectors.notices import was_told
from games.services.notices.links import absolute

register = template.Library()


@register.inclusion_tag("games/mail/_vacation.html", takes_context=True)
def vacation_cards(context: template.Context, player: Player) -> dict[str, Any]:
    now = timezone.now()
    token = player.calendar_token
    return {
        "vacations": vacations_to_come(player, now),
        "left": vacation_left(player, now),
        "now": now,
        "feed": absolute(reverse("calendar", args=[token])) if token else "",
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("games/mail/_game_wish.html", takes_context=True)
def mail_about_game(context: template.Context, game: Game, seat: Seat) -> dict[str, Any]:
    return {
        "game": game,
        "seat": seat,
        "wishes": Seat.Mail.choices,
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag
def told_by_mail(game: Game) -> bool:
    return was_told(game)
