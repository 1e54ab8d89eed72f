"""How clauses become sentences, in the punctuation and the capitals of the language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import get_language


@dataclass(frozen=True)
class Marks:
    comma: str = ", "
    stop: str = "."
    colon: str = ": "
    semicolon: str = "; "
    between_names: str = ", "
    between_sentences: str = " "
    brackets: tuple[str, str] = (" (", ")")


WESTERN = Marks()
FULL_WIDTH = Marks(
    comma="，",
    stop="。",
    colon="：",
    semicolon="；",
    between_names="、",
    between_sentences="",
    brackets=("（", "）"),
)
MARKS = {"zh-hant": FULL_WIDTH}
PARTED = re.compile(r"(?<=[。！？：；])((?:</\w+>)*)\s+")
ENDS = (".", "!", "?", ":", "…", "。", "！", "？", "：")


def marks(language: str | None = None) -> Marks:
    """Of this language, or else of the one that is spoken now."""
    return MARKS.get(language or get_language() or "", WESTERN)


def clauses(parts: Iterable[str]) -> str:
    """What one somebody did, one thing after the other."""
    return marks().comma.join(parts)


def listed(names: Iterable[object]) -> str:
    return marks().between_names.join(map(str, names))


def labelled(label: str, text: str) -> str:
    return f"{label}{marks().colon}{text}"


def beside(text: str, aside: str, language: str | None = None) -> str:
    opening, closing = marks(language).brackets
    return f"{text}{opening}{aside}{closing}"


def ended(text: str) -> str:
    """With a full stop, unless it ends already. Its first letter stays: it may be a name's."""
    return text if text.endswith(ENDS) else f"{text}{marks().stop}"


def sentence(text: str) -> str:
    return ended(text[:1].upper() + text[1:])


def paragraph(sentences: Iterable[str]) -> str:
    return marks().between_sentences.join(sentences)


def set_apart(text: str) -> str:
    """Sentences that blanks or line breaks part, as the language parts them; with markup or not."""
    return text if marks().between_sentences else PARTED.sub(r"\1", text)
