"""The languages of the site: in its addresses, and as catalogues of translations.

Every page has one address without a language, which speaks that of whoever looks, and one
for each language, such as /pl/rules/…, which says the same to everybody who has no account.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import polib
from babel import Locale, UnknownLocaleError
from django.conf import settings

PREFIX = re.compile(r"/([a-z-]+)(/.*)?", re.DOTALL)


def split(path: str) -> tuple[str, str]:
    """The language that an address starts with, if any, and the address without it."""
    found = PREFIX.fullmatch(path)
    if found and found[1] in dict(settings.LANGUAGES):
        return found[1], found[2] or "/"
    return "", path


def addresses(path: str) -> dict[str, str]:
    """The address of the same page in each language."""
    plain = split(path)[1]
    return {code: f"/{code}{plain}" for code, _ in settings.LANGUAGES}


def for_everybody(path: str) -> str:
    """The address to send to others, without a language: each reads it in their own."""
    return split(path)[1]


def locale_of(language: str | None) -> Locale:
    """What CLDR knows of a language; of one that it does not know, what it knows of English."""
    try:
        return Locale.parse(language or "en", sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")


def compile_catalogues(folder: Path) -> None:
    """Make the compiled catalogues of a folder that are missing or older than their source.

    In Python, because a machine that only serves the site has no gettext tools.
    """
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        # Written aside and moved: several processes may start at the same time.
        draft = source.with_suffix(f".{os.getpid()}.draft")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.replace(compiled)
