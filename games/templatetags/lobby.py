"""Words for the terms of a game."""

from __future__ import annotations

from datetime import timedelta

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game

register = template.Library()

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@register.filter
def span(length: timedelta) -> str:
    """A length of time in whole days or else in hours."""
    if length % DAY:
        hours = length // HOUR
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    days = length // DAY
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


@register.filter
def pace_in_words(pace: str) -> str:
    chosen = Game.Pace(pace)
    if chosen.increment is None or chosen.cap is None:
        return _("No clock: nobody loses a seat by taking time. Always casual.")
    return _("Every turn adds %(increment)s. You start with %(cap)s and never hold more.") % {
        "increment": span(chosen.increment),
        "cap": span(chosen.cap),
    }
