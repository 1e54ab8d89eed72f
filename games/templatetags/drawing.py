"""Parts of pages that are drawn once for everybody who sees the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
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

PIECES_KEPT = 10_000
"""One of a piece has a hundred."""


@register.simple_tag
def drawn(names: str | tuple[str, ...], **shown: Any) -> SafeString:
    """Include a template that sees these values and nothing else.

    Together with the language, and with what addresses begin with, they are all that it
    depends on, so what was drawn for the same values is never out of date. Values that cannot
    be told apart by their content (mappings, rows of the database) are drawn each time.
    """
    names = (names,) if isinstance(names, str) else names
    values = tuple(
        (name, tuple(value) if isinstance(value, list) else value) for name, value in shown.items()
    )
    if all(_is_content(value) for _, value in values):
        return _kept(names, get_language(), get_script_prefix(), values)
    return _draw(names, values)


@register.simple_tag
def drawn_each(name: str, of: str, values: Iterable[Hashable]) -> SafeString:
    """Include a small template once for each of these values, which it sees under a name:
    a piece looks the same on every board that it lies on."""
    around = (name, get_language(), get_script_prefix(), of)
    return SafeString(
        "".join(
            _kept_piece(*around, value) if _is_content(value) else _draw((name,), ((of, value),))
            for value in values
        )
    )


def _is_content(value: Hashable) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return not isinstance(value, Model)


@lru_cache(maxsize=PIECES_KEPT)
def _kept_piece(name: str, language: str, prefix: str, of: str, value: Hashable) -> SafeString:
    return _draw((name,), ((of, value),))


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
