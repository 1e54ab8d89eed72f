"""Lucky words, and where each of them comes from."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models import Seat

WORDS = """
almond amber apricot argan basil bazaar camel caravan cardamom cedar cinnamon clove copper
coral cumin date dune falcon fennel fig fountain garden ginger honey indigo ivory jasmine
juniper kettle lantern lemon loom madder market mint mirage mosaic moon myrtle nutmeg oasis
olive orange palm pepper pistachio pomegranate quince raisin rose saffron sandal sesame silk
silver slipper sparrow star sumac tassel teapot thread thyme turban walnut weaver well
zephyr
""".split()  # noqa: SIM905
OFFERED = re.compile(r"([a-z]+-[a-z]+-\d{3})(\d{3})", re.ASCII)


@dataclass(frozen=True)
class Word:
    text: str
    origin: str


FIXED_WORD = Word("bot", Seat.WordOrigin.FIXED)
"""The word of every bot. If the server drew it, it could try words until the dice please it."""


def lucky_word() -> str:
    """A word to offer. Its last digits are computed from the rest with the site's key, so the
    server recognizes its own words in every form, without storing what it offered."""
    start = f"{secrets.choice(WORDS)}-{secrets.choice(WORDS)}-{secrets.randbelow(1000):03}"
    return start + _mark(start, settings.SECRET_KEY)


def was_offered(word: str) -> bool:
    """Whether the server made this word; by accident one in a thousand of this shape."""
    found = OFFERED.fullmatch(word)
    return found is not None and any(
        constant_time_compare(found[2], _mark(found[1], key)) for key in keys()
    )


def brought(text: str, *, drawn_word: str = "") -> Word:
    """The word of a player. `drawn_word` is what a script in the player's browser says it drew."""
    if not text:
        return Word(lucky_word(), Seat.WordOrigin.DRAWN)
    if was_offered(text):
        return Word(text, Seat.WordOrigin.OFFERED)
    if text == drawn_word:
        return Word(text, Seat.WordOrigin.BROWSER)
    return Word(text, Seat.WordOrigin.CHOSEN)


def keys() -> list[str | bytes]:
    """The key of the site, then those it had before and still accepts."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def _mark(start: str, key: str | bytes) -> str:
    digest = salted_hmac("games.luck", start, secret=key, algorithm="sha256").digest()
    return f"{int.from_bytes(digest[:8]) % 1000:03}"
