"""What a learner hears about a choice: what it costs, where it would be better, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .board.grid import Square
from .rules.actions import Lay, Turn, read
from .words import WORDS

Facts = Mapping[str, Any]


def answer(before: Facts, action: str, after: Callable[[str], Facts]) -> list[str]:
    """`after` shows what an action that needs no die would lead to."""
    match read(action):
        case Turn() if len(before["forecast"]) > 1:
            return [_about_a_way(before["forecast"], action)]
        case Lay():
            return [_about_a_rug(before, action, after)]
    return []


def _about_a_way(forecast: Facts, action: str) -> str:
    means = {way: odds["mean"] for way, odds in forecast.items()}
    best = min(means, key=lambda way: (means[way], way != action))
    if not any(means.values()):
        return _("All ways were free: nobody has laid a rug there.")
    if means[action] == means[best]:
        return _("A good choice: on average no other way is cheaper.")
    said = _(
        "On average this way costs %(mine)s, and “%(way)s” only %(best)s: "
        "there you would meet fewer squares of others."
    )
    return said % {
        "mine": floatformat(means[action], 1),
        "way": WORDS.choice(best, {}),
        "best": floatformat(means[best], 1) if means[best] else "0",
    }


def _about_a_rug(before: Facts, action: str, after: Callable[[str], Facts]) -> str:
    colour = before["players"][before["pending"]["seat"]]["next"]
    sizes = {each: _field(after(each), colour, each) for each in before["legal"]}
    best = max(sizes, key=lambda each: (sizes[each], each == action))
    has = ngettext(
        "Your field there has %(n)d square.", "Your field there has %(n)d squares.", sizes[action]
    ) % {"n": sizes[action]}
    if sizes[action] == sizes[best]:
        return _("%(has)s No other place makes a larger one.") % {"has": has}
    one, other = _squares(best)
    said = _(
        "%(has)s On %(one)s and %(other)s it would have %(best)d: "
        "whoever stops on it pays for each of them."
    )
    return said % {"has": has, "one": one, "other": other, "best": sizes[best]}


def _field(seen: Facts, colour: str, action: str) -> int:
    """How many squares of this colour hang together with the rug that was laid."""
    shown = {
        Square.named(name)
        for rug in seen["rugs"]
        if rug["colour"] == colour
        for name in rug["visible"]
    }
    field = {Square.named(name) for name in _squares(action)} & shown
    while grown := {square for square in shown - field if any(map(square.touches, field))}:
        field |= grown
    return len(field)


def _squares(action: str) -> tuple[str, str]:
    laid = read(action)
    assert isinstance(laid, Lay)
    return laid.one, laid.other
