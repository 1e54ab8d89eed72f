"""How clauses become sentences, in the punctuation and the capitals of the language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import get_language


@dataclass(frozen=True)
class Marks:
    comma: str = ", "
    stop: str = "."
    colon: str = ": "
    between_names: str = ", "
    between_sentences: str = " "


WESTERN = Marks()
FULL_WIDTH = Marks(comma="，", stop="。", colon="：", between_names="、", between_sentences="")
MARKS = {"zh-hant": FULL_WIDTH}
ENDS = (".", "!", "?", ":", "…", "。", "！", "？", "：")


def marks() -> Marks:
    """Of the language that is spoken now."""
    return MARKS.get(get_language() or "", WESTERN)


def clauses(parts: Iterable[str]) -> str:
    """What one somebody did, one thing after the other."""
    return marks().comma.join(parts)


def listed(names: Iterable[object]) -> str:
    return marks().between_names.join(map(str, names))


def labelled(label: str, text: str) -> str:
    return f"{label}{marks().colon}{text}"


def ended(text: str) -> str:
    """With a full stop, unless it ends already. Its first letter stays: it may be a name's."""
    return text if text.endswith(ENDS) else f"{text}{marks().stop}"


def sentence(text: str) -> str:
    return ended(text[:1].upper() + text[1:])


def paragraph(sentences: Iterable[str]) -> str:
    return marks().between_sentences.join(sentences)
