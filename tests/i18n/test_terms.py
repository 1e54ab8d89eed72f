"""The catalogues use the terms that docs/terms.md has settled on."""

from __future__ import annotations

import re

import polib
import pytest

from tests.i18n.catalogues import LOCALE, ROOT

LOCALES = ("ru", "pl", "ro", "zh_Hant")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def terms() -> list[list[str]]:
    lines = (ROOT / "docs" / "terms.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return rows[2:]


@pytest.mark.parametrize("locale", LOCALES)
def test_a_text_with_a_term_is_translated_by_that_term(locale: str) -> None:
    column = 2 + LOCALES.index(locale)
    wrong = []
    for row in terms():
        game, term, wanted = row[0].lower(), row[1], row[column].lower()
        for entry in polib.pofile(str(LOCALE / locale / "LC_MESSAGES" / "django.po")):
            if not any(f"/{game}/" in path for path, _ in entry.occurrences):
                continue
            if not re.search(rf"\b{term}s?\b", PLACEHOLDER.sub("", entry.msgid)):
                continue
            said = [entry.msgstr, *entry.msgstr_plural.values()]
            if not any(wanted in text.lower() for text in said):
                wrong.append((term, wanted, entry.msgid, said))
    assert wrong == []


def test_there_are_terms_of_both_games():
    assert {row[0] for row in terms()} == {"Marrakech", "Ifrito"}
    assert all(len(row) == 7 and all(row) for row in terms())


def test_chinese_has_no_western_punctuation_between_its_characters():
    bad = re.compile(r"[一-鿿] ?[,;:!?()](?!\w*\))|[,;:!?(] ?[一-鿿]|[一-鿿]\.(?!\w)")
    catalogue = polib.pofile(str(LOCALE / "zh_Hant" / "LC_MESSAGES" / "django.po"))
    said = [text for e in catalogue for text in (e.msgstr, *e.msgstr_plural.values())]
    plain = [re.sub(r"%\(\w+\)[sd]|</?\w+>", "", text) for text in said]
    assert [text for text in plain if bad.search(text)] == []
