"""What pages say and show of a game, by its key; built into every template."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import titles
from games.engine.interface import Facts
from games.numerals import grouped
from games.selectors import rules
from games.titles.telling import written

register = template.Library()


@register.filter(name="grouped")
def grouped_number(number: object) -> object:
    """A whole number as the reader writes it; anything else stays as it is."""
    return grouped(number) if isinstance(number, int) else number


@register.filter
def part(key: str, name: str) -> tuple[str, str]:
    """For `include`: the template of the room, or else the one that does for every game."""
    return f"games/{key}/{name}", f"games/fallback/{name}"


@register.filter
def name_of(key: str) -> str:
    return rules.name_of(key)


@register.filter
def edition_name(key: str, edition: str) -> str:
    return rules.edition_name(key, edition)


@register.simple_tag
def offered_names() -> str:
    return rules.offered_names()


@register.simple_tag
def stylesheet_of(key: str) -> str:
    """The link to the stylesheet of a game; nothing where it has none."""
    title = titles.find(key)
    address = _address(key, title.stylesheet if title else "")
    return format_html('<link rel="stylesheet" href="{}">', address) if address else ""


@register.simple_tag
def script_of(key: str) -> str:
    """The script with which one chooses on the board: that of the game, or that of the house."""
    title = titles.find(key)
    address = _address(key, title.script if title else "") or static("games/js/placing.js")
    return format_html('<script src="{}" type="module"></script>', address)


@register.simple_tag
def all_taps(key: str, seen: Facts, names: Sequence[str]) -> SafeString:
    """All that can be tapped in a position, for the script of the game, if it has one."""
    taps = titles.brings(key, "taps", "taps")
    told = taps(seen, names) if taps else None
    return written(told) if told else SafeString()


def _address(key: str, name: str) -> str:
    try:
        return static(f"games/{key}/{name}") if name else ""
    except ValueError:
        # Stated but not collected: the page is plainer, and the system check says why.
        return ""
