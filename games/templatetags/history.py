"""Ratings and shared links in templates."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.charts.shades import SHADES, Day
from games.models import Game
from games.moments import MINUTE, day_in_words, instant, month_in_short
from games.numerals import grouped
from games.selectors.ratings import is_settled, shown_rating
from games.selectors.rules import name_of
from games.selectors.table import Table
from games.sentences import labelled, listed, paragraph
from games.templatetags.drawing import drawn

register = template.Library()


@register.simple_tag(takes_context=True)
def sharing(context: Context, table: Table) -> SafeString:
    """What others see where a link to this table is shown; nothing of a game of named players."""
    game, request = table.game, context["request"]
    if game.visibility == Game.Visibility.NAMED:
        return SafeString()
    return drawn(
        "games/_sharing.html",
        site=f"{request.scheme}://{request.get_host()}",
        public_id=game.public_id,
        title=labelled(name_of(game.ruleset), listed(table.names)),
        summary=_summary(table),
        moves=len(table.moves),
    )


def _summary(table: Table) -> str:
    moves = len(table.moves)
    if table.game.status != Game.Status.OVER:
        return ngettext(
            "A game in play, %(n)s move so far.", "A game in play, %(n)s moves so far.", moves
        ) % {"n": moves}
    won = listed(sitter.seat.player for sitter in table.sitters if sitter.seat.place == 1)
    result = ngettext("%(won)s won after %(n)s move.", "%(won)s won after %(n)s moves.", moves)
    return paragraph([result % {"won": won, "n": moves}, _("Replay it move by move.")])


@register.filter
def rough(length: timedelta) -> str:
    """A length of time by its largest unit."""
    start = datetime(2000, 1, 1, tzinfo=UTC)
    return timesince(start, start + length, depth=1) if length >= MINUTE else instant()


@register.filter
def rating(mu: float) -> int:
    """A rating as people read it."""
    return shown_rating(mu)


@register.filter
def provisional(sigma: float) -> bool:
    """Whether a rating is not certain enough yet."""
    return not is_settled(sigma)


@register.filter
def month_name(month: int) -> str:
    return month_in_short(month)


@register.filter
def day_said(day: Day, year: int) -> str:
    """A day of a calendar, and what was counted on it."""
    at = date(year, 1, 1) + timedelta(days=day.number)
    return labelled(day_in_words(at), grouped(day.value))


YARNS = ("#a8242f", "#2a4ea3", "#e2a11d", "#2c7a57")
"""The colours of the seats, for drawings that no stylesheet reaches."""


@register.filter
def yarn(month: int) -> str:
    """Each month has another colour than its neighbours."""
    return YARNS[month % len(YARNS)]


@register.filter
def thickness(shade: int) -> str:
    return f"{0.1 + 0.9 * shade / SHADES:.2f}"
