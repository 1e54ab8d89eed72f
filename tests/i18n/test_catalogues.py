"""The translations are complete, and say what the texts say.

A language is held to all of this from the moment its catalogue is there.
"""

from __future__ import annotations

import gettext
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import to_locale

from games.languages import compile_catalogues
from tests.conftest import missing
from tests.i18n.catalogues import LOCALE, extracted

CATALOGUES = {
    path.parent.parent.name: path for path in sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))
}
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd%]")
# For some numbers, which of the slots of a plural is theirs.
SLOTS = {
    "ru": {1: 0, 21: 0, 101: 0, 2: 1, 4: 1, 22: 1, 0: 2, 5: 2, 11: 2, 12: 2, 14: 2, 25: 2, 111: 2},
    "pl": {1: 0, 2: 1, 4: 1, 22: 1, 104: 1, 0: 2, 5: 2, 11: 2, 12: 2, 14: 2, 21: 2, 25: 2, 101: 2},
    "ro": {1: 0, 0: 1, 2: 1, 19: 1, 101: 1, 119: 1, 20: 2, 21: 2, 100: 2, 120: 2},
    "zh_Hant": {0: 0, 1: 0, 2: 0, 5: 0, 100: 0},
}


def entries() -> Iterator[tuple[str, polib.POEntry]]:
    for locale, path in CATALOGUES.items():
        for entry in polib.pofile(str(path)):
            yield locale, entry


def strings(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def test_every_language_is_checked():
    """With the first catalogue all of them must be there."""
    locales = {to_locale(code) for code, _ in settings.LANGUAGES} - {"en"}
    assert locales == set(SLOTS)
    assert set(CATALOGUES) in (set(), locales)


def test_nothing_is_untranslated_or_fuzzy():
    undone = [
        (locale, entry.msgid)
        for locale, entry in entries()
        if entry.obsolete or entry.fuzzy or not all(strings(entry))
    ]
    assert undone == []


def test_catalogues_hold_exactly_the_texts_of_the_site(tmp_path, monkeypatch):
    found = extracted(tmp_path, monkeypatch)
    texts = {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in found}
    assert len(texts) > 500
    for locale, path in CATALOGUES.items():
        kept = {(e.msgctxt, e.msgid, e.msgid_plural) for e in polib.pofile(str(path))}
        assert kept ^ texts == set(), f"run make messages, then translate: {locale}"


def test_placeholders_survive_translation():
    for locale, entry in entries():
        wanted = [set(PLACEHOLDER.findall(entry.msgid))]
        if entry.msgid_plural:
            wanted.append(set(PLACEHOLDER.findall(entry.msgid_plural)))
        for text in strings(entry):
            assert set(PLACEHOLDER.findall(text)) in wanted, (locale, entry.msgid, text)


def test_a_translation_ends_as_its_text_does():
    """So that sentences stay sentences, questions questions, and labels labels."""
    marks = {"。": ".", "！": "!", "？": "?", "：": ":", "…": "…"}
    for locale, entry in entries():
        for text in strings(entry):
            last, own = entry.msgid[-1], marks.get(text[-1], text[-1])
            short = text.endswith(("г.", "дирх.", "очк."))
            assert short or last == own or not {last, own} & {*marks.values()}, (locale, text)


def test_markup_survives_translation():
    for locale, entry in entries():
        tags = sorted(re.findall(r"</?\w+", entry.msgid))
        for text in strings(entry):
            assert sorted(re.findall(r"</?\w+", text)) == tags, (locale, entry.msgid, text)


def test_plurals_have_the_slots_of_their_language():
    for locale, path in CATALOGUES.items():
        catalogue = polib.pofile(str(path))
        forms = re.fullmatch(
            r"nplurals=(\d); plural=(.+?);?\s*", catalogue.metadata["Plural-Forms"]
        )
        assert forms, locale
        slot = gettext.c2py(forms[2])
        assert {number: slot(number) for number in SLOTS[locale]} == SLOTS[locale], locale
        for entry in catalogue:
            if entry.msgid_plural:
                assert set(entry.msgstr_plural) == set(range(int(forms[1]))), entry.msgid


def test_msgfmt_finds_nothing_wrong(tmp_path):
    if not shutil.which("msgfmt"):
        missing("gettext")
    for locale, path in CATALOGUES.items():
        target = str(tmp_path / f"{locale}.mo")
        done = subprocess.run(
            ["msgfmt", "--check", "--output-file", target, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), locale


@pytest.fixture
def polish(tmp_path: Path) -> Path:
    source = tmp_path / "pl" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgid "rug"\nmsgstr "dywan"\n\n#, fuzzy\nmsgid "die"\nmsgstr "?"\n'
    )
    return source


def test_catalogues_are_compiled_without_gettext_tools(tmp_path, polish, monkeypatch):
    monkeypatch.setenv("PATH", "")
    compile_catalogues(tmp_path)
    with polish.with_suffix(".mo").open("rb") as compiled:
        words = gettext.GNUTranslations(compiled)
    assert words.gettext("rug") == "dywan"
    assert words.gettext("die") == "die"
    assert [path.name for path in polish.parent.iterdir() if path.suffix == ".draft"] == []


def test_only_what_changed_is_compiled_again(tmp_path, polish):
    compile_catalogues(tmp_path)
    compiled = polish.with_suffix(".mo")
    first = compiled.stat().st_ino
    compile_catalogues(tmp_path)
    assert compiled.stat().st_ino == first
    polish.write_text(polish.read_text().replace("dywan", "kilim"))
    later = compiled.stat().st_mtime + 5
    os.utime(polish, (later, later))
    compile_catalogues(tmp_path)
    assert b"kilim" in compiled.read_bytes()
