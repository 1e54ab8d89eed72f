"""The catalogues use the terms that docs/terms.md has settled on."""

from __future__ import annotations

import re

import polib
import pytest

from tests.i18n.catalogues import LOCALE, ROOT
from tests.i18n.reading import WESTERN_MARK

LOCALES = ("ru", "pl", "ro", "zh_Hant")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def terms() -> list[list[str]]:
    first_table = (ROOT / "docs" / "terms.md").read_text().split("\n## ")[0]
    lines = first_table.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return rows[2:]


@pytest.mark.parametrize("locale", LOCALES)
def test_a_text_with_a_term_is_translated_by_that_term(locale: str) -> None:
    column = 2 + LOCALES.index(locale)
    wrong = []
    for row in terms():
        game, term, wanted = row[0].lower(), row[1], row[column].lower().split(", ")
        for entry in polib.pofile(str(LOCALE / locale / "LC_MESSAGES" / "django.po")):
            if not any(f"/{game}/" in path for path, _ in entry.occurrences):
                continue
            if not re.search(rf"\b{term}s?\b", PLACEHOLDER.sub("", entry.msgid)):
                continue
            said = [entry.msgstr, *entry.msgstr_plural.values()]
            if not any(stem in text.lower() for text in said for stem in wanted):
                wrong.append((term, wanted, entry.msgid, said))
    assert wrong == []


def test_there_are_terms_of_both_games():
    assert {row[0] for row in terms()} == {"Marrakech", "Ifrito"}
    assert all(len(row) == 7 and all(row) for row in terms())


def test_every_language_has_a_glossary_with_sources():
    parts = (ROOT / "docs" / "terms.md").read_text().split("\n## ")[1:]
    glossaries = {part.splitlines()[0].split(" (")[0]: part for part in parts}
    for language in ("Russian", "Polish", "Romanian", "Chinese"):
        rows = [line for line in glossaries[language].splitlines() if line.startswith("| ")]
        assert len(rows) > 10, language
        assert all(len([cell for cell in row.split("|") if cell.strip()]) == 3 for row in rows)


def test_chinese_has_no_western_punctuation_between_its_characters():
    catalogue = polib.pofile(str(LOCALE / "zh_Hant" / "LC_MESSAGES" / "django.po"))
    said = [text for e in catalogue for text in (e.msgstr, *e.msgstr_plural.values())]
    plain = [re.sub(r"%\(\w+\)[sd]|</?\w+>", "", text) for text in said]
    assert [text for text in plain if WESTERN_MARK.search(text)] == []


@pytest.mark.parametrize(
    ("locale", "strange"),
    [
        ("ru", r"(?i)\b(?:ты|тебе|тебя|твой|твоя|твоё|твои|твоей|твоего|доск\w{1,3})\b"),
        (
            "pl",
            r"\b(?:twój|twoja|twoje|twoim|twoich|twojego|twojej|tobie|ciebie|cię)\b|\blist(?:em)?\b",
        ),
        (
            "ro",
            r"(?i)\b(?:dumneavoastră|introduceți|selectați|alegeți|mergeți|încercați|vă rugăm)\b"
            r"|\b(?:pătrat\w{0,3}|situl\w*|tur(?:ul|uri)?)\b",
        ),
        ("zh_Hant", r"您|牌桌|時鐘|步調|等級分|棋盤"),
    ],
)
def test_people_and_things_are_called_as_everywhere_else(locale: str, strange: str) -> None:
    """The tone of each language, and words of which another one is used in its place."""
    catalogue = polib.pofile(str(LOCALE / locale / "LC_MESSAGES" / "django.po"))
    said = [text for e in catalogue for text in (e.msgstr, *e.msgstr_plural.values())]
    assert [text for text in said if re.search(strange, text)] == []
