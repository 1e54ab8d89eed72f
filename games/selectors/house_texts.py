"""Texts that the operator of a site writes: plain files, in each language or in one."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language

KINDS = ("terms", "contact")


def offered() -> tuple[str, ...]:
    """Of the kinds of texts, those that this site has."""
    return tuple(kind for kind in KINDS if settings.HOUSE_TEXTS[kind])


def house_text(kind: str) -> str | None:
    """In the reader's language (`terms.pl.txt` beside `terms.txt`), else in that of the house."""
    if not (named := settings.HOUSE_TEXTS[kind]):
        return None
    path = Path(named)
    translated = path.with_suffix(f".{get_language()}{path.suffix}")
    for each in (translated, path):
        if each.is_file():
            return each.read_text(encoding="utf-8")
    return None
