"""Charts as pages show them: a picture, and what it says in words.

Lines are written here and not in a template: they are drawn anew after every move.
"""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.formats import localize
from django.utils.html import escape
from django.utils.safestring import SafeString

from games.charts.plots import Bar, BarChart, LineChart
from games.numerals import grouped
from games.sentences import labelled, marks

register = template.Library()


@register.filter
def height(bar: Bar) -> str:
    """What a bar says, whether there is room to write it above the bar or not."""
    return bar.text or grouped(round(bar.value))


@register.filter
def in_words(chart: BarChart | LineChart, label: str) -> str:
    """What a chart shows, for those who do not see it."""
    if isinstance(chart, BarChart):
        bars = marks().semicolon.join(labelled(bar.label, height(bar)) for bar in chart.bars)
        return labelled(label, bars)
    lines = (labelled(line.name, str(localize(line.value))) for line in chart.lines if line.name)
    return marks().semicolon.join([label, *lines])


@register.simple_tag
def lines(chart: LineChart, label: str, labels: Sequence[str] = ()) -> SafeString:
    """The picture of a chart; `labels` are those of its steps."""
    band = f'<polygon class="band" points="{chart.band}"/>' if chart.band else ""
    levels = "".join(
        f'<path class="level" d="M{chart.left} {level.y}H{chart.right}"/>'
        f'<text class="scale" x="{chart.left}" y="{level.y}" dx="-5" dy="3.5" text-anchor="end">'
        f"{level.value}</text>"
        for level in chart.levels
    )
    mark = f'<path class="mark" d="M{chart.mark} {chart.top}V{chart.bottom}"/>'
    drawn = "".join(
        f'<polyline class="line {line.tone}" points="{line.points}"/>' for line in chart.lines
    )
    dots = "".join(
        f'<circle class="dot {line.tone}" cx="{line.x}" cy="{line.y}" r="3"/>'
        for line in chart.lines
    )
    steps = f' data-labels="{escape("|".join(labels))}"' if labels else ""
    return SafeString(
        f'<svg class="chart" viewBox="{chart.view_box}" role="img" '
        f'aria-label="{escape(in_words(chart, label))}" data-low="{chart.low}" '
        f'data-high="{chart.high}" data-steps="{chart.steps}"{steps}>'
        f"{band}{levels}{mark if chart.mark else ''}{drawn}{dots}</svg>"
    )


@register.simple_tag
def legend(chart: LineChart) -> SafeString:
    """Whose line is whose, and what it shows where the mark stands."""
    rows = "".join(
        '<li><svg class="key" viewBox="0 0 20 6" aria-hidden="true">'
        f'<path class="line {line.tone}" d="M0 3h20"/></svg>'
        f"{escape(line.name)} <b>{localize(line.value)}</b></li>"
        for line in chart.lines
    )
    return SafeString(f'<ul class="legend">{rows}</ul>')
