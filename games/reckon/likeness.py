"""What a name looks like: the same key for names that could be mistaken for each other.

The table of keys is filled with what `likeness` says. A change of it needs a migration that
fills the table anew.
"""

from __future__ import annotations

import unicodedata

# Letters of other scripts, and digits, that are drawn as Latin letters; all after case folding.
# I, l and 1 are told apart by nobody, and I is i in small letters.
SEEN_AS = {
    "авекмнорстухѕіјԁһӏԛԝү": "abekmhopctyxsljdhlqwy",
    "αβεηικνορτυχγ": "abenlkvoptuxy",
    "օսհցզք": "ouhgqp",
    "ıɩɑɡ": "llag",
    "01i|ǀ": "ollll",
}
LOOK_ALIKES = str.maketrans("".join(SEEN_AS), "".join(SEEN_AS.values()))


def folded(text: str) -> str:
    """The same for two texts that look the same, with all that stands between their letters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(map(_digit, plain)).translate(LOOK_ALIKES)


def likeness(name: str) -> str:
    """The key of a name: its letters and digits, or the whole of it if there are none."""
    seen = folded(name)
    return "".join(filter(is_sign, seen)) or "".join(seen.split())


def is_sign(letter: str) -> bool:
    """Whether it is a letter, a digit or a picture, and not a mark beside or between them."""
    return unicodedata.category(letter)[0] in "LNS"


def _digit(letter: str) -> str:
    value = unicodedata.decimal(letter, None)
    return letter if value is None else str(value)
