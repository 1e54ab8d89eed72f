"""Words for the terms of a game."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from games.models import Game
from games.moments import span

register = template.Library()
register.filter(span)


@register.filter
def pace_in_words(pace: str) -> str:
    chosen = Game.Pace(pace)
    if chosen.increment is None or chosen.cap is None:
        return _("No clock: nobody loses a seat by taking time. Always casual.")
    return _("Every turn adds %(increment)s. You start with %(cap)s and never hold more.") % {
        "increment": span(chosen.increment),
        "cap": span(chosen.cap),
    }
