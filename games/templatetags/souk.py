"""What templates of tables and lists need beside Django's own tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timeuntil
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games import titles
from games.models import Game
from games.selectors import words

register = template.Library()


@register.filter
def at(values: Sequence[Any] | Mapping[Any, Any], key: Any) -> Any:
    """What stands at this place of a list or mapping; nothing where there is none."""
    try:
        return values[key]
    except (LookupError, TypeError):
        return ""


COLOURS = {
    "red": _("red"),
    "blue": _("blue"),
    "amber": _("amber"),
    "green": _("green"),
}


# Letters as in Django's date filter; other languages order them in their own way.
MOMENTS = {
    "time": pgettext_lazy("date format", "j M, H:i"),
    "day": pgettext_lazy("date format", "D j M, H:i"),
    "long day": pgettext_lazy("date format", "l, j E, H:i"),
    "year": pgettext_lazy("date format", "j F Y, H:i"),
    "month": pgettext_lazy("date format", "F Y"),
}


@register.filter(expects_localtime=True)
def moment(value: datetime, form: str) -> str:
    """A moment in the words and the order of the language."""
    text = date_format(value, str(MOMENTS[form]))
    # Only English writes days and months with capitals.
    return text if get_language() == "en" else text.lower()


@register.filter
def time_left(until: datetime) -> str:
    """The rough length of time until then: its largest unit stands beside the exact date."""
    return timeuntil(until, depth=1)


@register.filter
def colour_name(colour: str) -> str:
    return str(COLOURS[colour])


@register.simple_tag
def turn_in_words(game: Game, names: Sequence[str], turn: words.Turn) -> SafeString:
    # Made of templates, which escaped what players wrote.
    return mark_safe(words.sentence(game, names, turn))  # noqa: S308


@register.simple_tag
def named_turn(game: Game, names: Sequence[str], turn: words.Turn) -> SafeString:
    """A turn in words, with the name of who took it."""
    return format_html("<b>{}</b> {}", names[turn.seat], turn_in_words(game, names, turn))


@register.simple_tag
def small_board(observation: Mapping[str, Any]) -> Any:
    return titles.draw(observation, compact=True)
