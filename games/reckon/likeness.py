"""What a name looks like: the same key for names that could be mistaken for each other.

The table of keys is filled with what `likeness` says. A change of it needs a migration that
fills the table anew.
"""

from __future__ import annotations

import unicodedata
from string import ascii_lowercase

# Capitals that are drawn as Latin ones, while their small letters are not, or as others.
CAPITALS = str.maketrans("ΖΗΜΝΥ", "zhmny")
# Letters of other scripts that are drawn as Latin letters; all after case folding.
SEEN_AS = {
    "авекмнорстухѕіјԁһӏԛԝүьгѡ": "abekmhopctyxsijdhlqwybrw",
    "αβεηικνορτυχγϳ": "abenikvoptuxyj",
    "օսհցզքոյ": "ouhgqpnj",
    "ıɩɑɡ": "iiag",
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ": "abcdefghijklmnoprstuvwyz",
    # Letters on squares and discs, and those of flags.
    **{
        "".join(chr(first + place) for place in range(26)): ascii_lowercase
        for first in (0x1F150, 0x1F170, 0x1F1E6)
    },
}
LETTERS = str.maketrans("".join(SEEN_AS), "".join(SEEN_AS.values()))
# I, l and 1 look the same, and the small letter of I is i.
STROKES = str.maketrans("01i|ǀ", "ollll")
BLANK = "\u115f\u1160\u3164\uffa0\u2800"
"""Letters and pictures of which nothing is seen."""


def folded(text: str) -> str:
    """The same for two texts that look the same, with all that stands between their letters."""
    # Taken apart, so that a letter of another script under an accent is seen as well.
    apart = unicodedata.normalize("NFKD", text).translate(CAPITALS).casefold().translate(LETTERS)
    return "".join(map(_digit, unicodedata.normalize("NFKC", apart))).translate(STROKES)


def likeness(name: str) -> str:
    """The key of a name: its letters and digits, or the whole of it if there are none."""
    seen = folded(name)
    return "".join(filter(is_sign, seen)) or "".join(seen.split())


def is_sign(letter: str) -> bool:
    """Whether it is a letter, a digit or a picture, and not a mark beside or between them."""
    return unicodedata.category(letter)[0] in "LNS" and letter not in BLANK


def _digit(letter: str) -> str:
    value = unicodedata.decimal(letter, None)
    return letter if value is None else str(value)
