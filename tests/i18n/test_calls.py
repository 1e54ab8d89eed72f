"""Every call of gettext in the source is one that `make messages` finds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from tests.i18n.catalogues import LOCALE, ROOT

# How many of the first arguments are texts, after a context where there is one.
TEXTS = {"gettext": 1, "gettext_noop": 1, "ngettext": 2, "pgettext": 1, "npgettext": 2}
TEXTS |= {f"{name}_lazy": count for name, count in TEXTS.items() if name != "gettext_noop"}
SHORT = {"gettext", "gettext_lazy"}


def sources() -> list[Path]:
    return [path for part in ("games", "marrakech_site") for path in (ROOT / part).rglob("*.py")]


def names(tree: ast.AST) -> dict[str, str]:
    """By which names a module calls the functions of Django's translation."""
    return {
        each.asname or each.name: each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for each in node.names
    }


def called(call: ast.Call, known: dict[str, str]) -> str:
    if isinstance(call.func, ast.Name):
        return known.get(call.func.id, "")
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    known = names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := called(node, known)) in TEXTS:
            yield node, name


def hidden(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Calls that xgettext does not see, or whose text it cannot read."""
    within_f_strings = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for inner in ast.walk(node)
    }
    for call, name in calls(tree):
        written = call.func.id if isinstance(call.func, ast.Name) else name
        if written != name and not (written == "_" and name in SHORT):
            yield call.lineno, f"{name} is called {written}"
        if call in within_f_strings:
            yield call.lineno, "within an f-string"
        if None in texts(call, name):
            yield call.lineno, "not a plain text"


def texts(call: ast.Call, name: str) -> list[str | None]:
    start = 1 if "pgettext" in name else 0
    return [
        argument.value
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        else None
        for argument in call.args[start : start + TEXTS[name]]
    ] or [None]


def test_no_call_hides_from_the_catalogues():
    found = [
        (str(path.relative_to(ROOT)), *each)
        for path in sources()
        for each in hidden(ast.parse(path.read_text()))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "from django.utils.translation import gettext as say\nsay('Hello')",
        "from django.utils.translation import ngettext as _\n_('a', 'b', 2)",
        "from django.utils.translation import gettext as _\nf'{_(1)}'",
        "from django.utils.translation import gettext as _\n_(f'Hello {you}')",
        "from django.utils import translation\ntranslation.gettext(hello)",
    ],
)
def test_a_hidden_call_is_found(line: str) -> None:
    assert list(hidden(ast.parse(line)))


@pytest.mark.parametrize("locale", ["ru", "pl", "ro", "zh_Hant"])
def test_every_text_of_a_call_has_its_translation(locale: str) -> None:
    catalogue = polib.pofile(str(LOCALE / locale / "LC_MESSAGES" / "django.po"))
    known = {text for entry in catalogue for text in (entry.msgid, entry.msgid_plural)}
    called_with = {
        text
        for path in sources()
        for call, name in calls(ast.parse(path.read_text()))
        for text in texts(call, name)
    }
    assert len(called_with) > 400
    assert called_with - known == set()
