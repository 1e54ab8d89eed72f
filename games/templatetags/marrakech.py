"""What only pages about Marrakech need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def luck(sums: Mapping[str, int]) -> int:
    """How many dirhams less were paid than could be expected at the moment of each roll."""
    return round(sums.get("sixths", 0) / 6) - sums.get("paid", 0)


@register.filter
def absolute(number: int) -> int:
    return abs(number)


@register.simple_tag
def rugs_of(observation: Mapping[str, Any], colour: str) -> str:
    """Where a colour shows: `a1–a2` is a whole rug, `b3` what is left of another."""
    rugs = (rug["visible"] for rug in observation["rugs"] if rug["colour"] == colour)
    return ", ".join(sorted("–".join(visible) for visible in rugs))
