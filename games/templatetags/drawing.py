"""Parts of pages that are drawn once for everybody who sees the same."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django import template
from django.db.models import Model
from django.template.loader import select_template
from django.urls import get_script_prefix
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

KEPT = 2000
"""A drawing of a board has some ten thousand characters."""


@register.simple_tag
def drawn(names: str | tuple[str, ...], **shown: Any) -> SafeString:
    """Include a template that sees these values and nothing else.

    Together with the language, and with what addresses begin with, they are all that it
    depends on, so what was drawn for the same values is never out of date. Values that cannot
    be told apart by their content (lists, rows of the database) are drawn each time.
    """
    names = (names,) if isinstance(names, str) else names
    values = tuple(shown.items())
    if _is_content(values):
        return _kept(names, get_language(), get_script_prefix(), values)
    return _draw(names, values)


def _is_content(values: tuple[tuple[str, Hashable], ...]) -> bool:
    try:
        hash(values)
    except TypeError:
        return False
    return not any(isinstance(value, Model) for _, value in values)


@lru_cache(maxsize=KEPT)
def _kept(
    names: tuple[str, ...],
    language: str,
    prefix: str,
    values: tuple[tuple[str, Hashable], ...],
) -> SafeString:
    return _draw(names, values)


def _draw(names: tuple[str, ...], values: tuple[tuple[str, Any], ...]) -> SafeString:
    return select_template(names).render(dict(values))
