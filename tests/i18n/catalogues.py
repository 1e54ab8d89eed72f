"""Catalogues for tests: what there is to translate, and a language in which all of it is marked."""

from __future__ import annotations

import shutil
from pathlib import Path

import allauth
import django
import polib
import pytest
from django.core.management import call_command
from django.test import override_settings

from tests.conftest import missing

ROOT = Path(__file__).parent.parent.parent
LOCALE = ROOT / "games" / "locale"
OPEN, CLOSE = "⟦", "⟧"
NO_TEXTS = shutil.ignore_patterns("locale", "static", "__pycache__")


def extracted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> polib.POFile:
    """All texts of the site, as `make messages` finds them."""
    if not shutil.which("xgettext"):
        missing("gettext")
    # In a copy, because makemessages keeps files of its own beside the templates.
    for part in ("games", "marrakech_site", "templates"):
        shutil.copytree(ROOT / part, folder / "site" / part, ignore=NO_TEXTS)
    monkeypatch.chdir(folder / "site")
    with override_settings(LOCALE_PATHS=[folder]):
        call_command(
            "makemessages",
            locale=["xx"],
            extensions=["html,txt,svg,py"],
            verbosity=0,
        )
    return polib.pofile(str(folder / "xx" / "LC_MESSAGES" / "django.po"))


def write_pseudo(catalogue: polib.POFile, folder: Path) -> None:
    """Compile a language in which every text stands in brackets, those of libraries too."""
    entries = {(entry.msgctxt, entry.msgid): entry for entry in _of_libraries()}
    entries |= {(entry.msgctxt, entry.msgid): entry for entry in catalogue}
    pseudo = polib.POFile()
    pseudo.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    for entry in entries.values():
        marked = polib.POEntry(msgctxt=entry.msgctxt, msgid=entry.msgid)
        if entry.msgid_plural:
            marked.msgid_plural = entry.msgid_plural
            marked.msgstr_plural = {0: _marked(entry.msgid), 1: _marked(entry.msgid_plural)}
        else:
            marked.msgstr = _marked(entry.msgid)
        pseudo.append(marked)
    target = folder / "xx" / "LC_MESSAGES" / "django.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    pseudo.save_as_mofile(str(target))


def _marked(text: str) -> str:
    return f"{OPEN}{text}{CLOSE}"


def _of_libraries() -> list[polib.POEntry]:
    root = Path(django.__file__).parent
    sources = [
        root / "conf" / "locale" / "en" / "LC_MESSAGES" / "django.po",
        root / "contrib" / "auth" / "locale" / "en" / "LC_MESSAGES" / "django.po",
        Path(allauth.__file__).parent / "locale" / "en" / "LC_MESSAGES" / "django.po",
    ]
    return [entry for source in sources for entry in polib.pofile(str(source))]
