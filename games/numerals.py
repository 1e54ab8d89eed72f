"""Whole numbers in the form of each language."""

from __future__ import annotations

from django.utils.translation import get_language

NO_BREAK = "\u00a0"
SEPARATORS = {"ru": NO_BREAK, "pl": NO_BREAK, "ro": "."}
"""Between thousands; elsewhere it is a comma."""

FROM = {"pl": 10_000}
"""Polish writes four digits without a space."""


def grouped(number: int) -> str:
    """225,374 for whoever reads English."""
    language = get_language() or "en"
    if abs(number) < FROM.get(language, 1000):
        return str(number)
    return f"{number:,}".replace(",", SEPARATORS.get(language, ","))
