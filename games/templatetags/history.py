"""Ratings and shared links in templates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django import template
from django.template import Context
from django.utils.formats import localize
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.charts import BarChart, LineChart
from games.models import Game
from games.selectors.ratings import is_settled, shown_rating
from games.selectors.rules import name_of
from games.selectors.table import Table
from games.sentences import labelled, listed, paragraph

register = template.Library()


@register.inclusion_tag("games/_sharing.html", takes_context=True)
def sharing(context: Context, table: Table) -> dict[str, Any]:
    """What others see where a link to this table is shown; nothing of a game of named players."""
    game = table.game
    shown = game.visibility != Game.Visibility.NAMED
    return {
        "request": context["request"],
        "game": game,
        "title": labelled(name_of(game.ruleset), listed(table.names)),
        "summary": _summary(table),
        "moves": len(table.moves),
        "shown": shown,
    }


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
def in_words(chart: BarChart | LineChart, label: str) -> str:
    """What a chart shows, for those who do not see it."""
    if isinstance(chart, BarChart):
        bars = "; ".join(labelled(bar.label, bar.text) for bar in chart.bars)
        return labelled(label, bars)
    lines = (labelled(line.name, str(localize(line.value))) for line in chart.lines if line.name)
    return "; ".join([label, *lines])


@register.filter
def rough(length: timedelta) -> str:
    """A length of time by its largest unit."""
    start = datetime(2000, 1, 1, tzinfo=UTC)
    return timesince(start, start + length, depth=1)


@register.filter
def rating(mu: float) -> int:
    """A rating as people read it."""
    return shown_rating(mu)


@register.filter
def provisional(sigma: float) -> bool:
    """Whether a rating is not certain enough yet."""
    return not is_settled(sigma)
