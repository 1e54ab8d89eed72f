"""What a name looks like: the same for names that could be mistaken for each other."""

from __future__ import annotations

import unicodedata

# Letters of other scripts that are drawn as Latin ones; both sides after case folding.
LOOK_ALIKES = str.maketrans(
    "авекмнорстухѕіјԁһӏԛԝαβεηικνορτυχ",
    "abekmhopctyxsijdhlqwabenikvoptux",
)


def likeness(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold().translate(LOOK_ALIKES)
    return "".join(letter for letter in folded if unicodedata.category(letter)[0] in "LNS")
