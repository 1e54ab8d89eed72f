"""What pages say and show of a game, by its key; built into every template."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html

from games import titles
from games.selectors import rules

register = template.Library()


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
    if title is None or not title.stylesheet:
        return ""
    try:
        address = static(f"games/{key}/{title.stylesheet}")
    except ValueError:
        # Stated but not collected: the page is plainer, and the system check says why.
        return ""
    return format_html('<link rel="stylesheet" href="{}">', address)
