"""Points of win share in templates."""

from __future__ import annotations

from django import template
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from games import titles
from games.numerals import grouped
from games.selectors.reckoning_page import Page, Row

register = template.Library()

MINUS = "\u2212"
NO_BREAK = "\u00a0"
RAREST = 1_000_000_000
LEAST = 1
"""So many points must come of what is said to have decided a game."""


@register.filter
def points(value: float) -> str:
    """With one decimal place as the reader writes it, and a proper minus."""
    shown: str = floatformat(abs(value), 1)
    return f"{MINUS}{shown}" if round(value, 1) < 0 else shown


@register.filter
def signed(value: float) -> str:
    """The same with a plus, where something is gained."""
    return f"+{points(value)}" if round(value, 1) > 0 else points(value)


@register.filter
def give_or_take(value: float, error: float) -> str:
    """With how far the truth may be off, if that is more than nothing; no line ends in between."""
    if round(error, 1) == 0:
        return points(value)
    return f"{points(value)}{NO_BREAK}±{NO_BREAK}{points(error)}"


@register.filter
def whole_points(value: int) -> str:
    """On a scale."""
    return f"{MINUS}{-value}" if value < 0 else str(value)


@register.filter
def rarity(chance: float) -> str:
    """A small probability as people read it."""
    times = min(round(1 / max(chance, 1 / RAREST)), RAREST)
    return _("once in %(times)s") % {"times": grouped(times)}


@register.filter
def has_dice(key: str) -> bool:
    """Whether there is any luck to speak of in this game."""
    return bool(titles.TITLES[key].rules.die)


@register.filter
def verdict(page: Page) -> str:
    """What decided the game, in a few words: what gave most to the winner, if anything did."""
    if page.decisive:
        return _("One mistake decided it")
    winner = page.winner
    if winner is None:
        return _("Nobody won alone")
    left = page.left_to_the_winner
    causes = {
        _("Luck decided it"): winner.luck,
        _("Somebody left the table"): left,
        _("Mistakes decided it"): winner.given - left,
    }
    most = max(causes, key=lambda cause: causes[cause])
    return most if causes[most] >= LEAST else _("No one thing decided it")


@register.filter
def gained(row: Row, key: str) -> str:
    """Where the result of a player came from, in this game."""
    if has_dice(key):
        said = _(
            "%(name)s gained %(result)s points of win share: %(luck)s by the dice, %(given)s by "
            "what the others decided, %(own)s by own decisions; %(rest)s remain unexplained."
        )
    else:
        said = _(
            "%(name)s gained %(result)s points of win share: %(given)s by what the others decided, "
            "%(own)s by own decisions; %(rest)s remain unexplained."
        )
    return said % {
        "name": row.name,
        "result": signed(row.result),
        "luck": signed(row.luck),
        "given": signed(row.given),
        "own": signed(row.own),
        "rest": signed(row.residual),
    }
