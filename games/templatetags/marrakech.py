"""What only pages about Marrakech need."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def luck(sums: Mapping[str, int]) -> int:
    """How many dirhams less were paid than could be expected at the moment of each roll."""
    return round(sums.get("sixths", 0) / 6) - sums.get("paid", 0)


@register.filter
def absolute(number: int) -> int:
    return abs(number)
