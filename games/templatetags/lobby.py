"""Words for the terms of a game."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from games.models import Game
from games.moments import span
from games.selectors.promise import about_the_commitment, origin_of

register = template.Library()
register.filter(span)
register.simple_tag(origin_of)
register.simple_tag(about_the_commitment)


@register.filter
def pace_in_words(pace: str) -> str:
    chosen = Game.Pace(pace)
    if chosen.increment is None or chosen.cap is None:
        return _("No clock: nobody loses a seat by taking time. Always casual.")
    return _("Every turn adds %(increment)s. You start with %(cap)s and never hold more.") % {
        "increment": span(chosen.increment),
        "cap": span(chosen.cap),
    }
