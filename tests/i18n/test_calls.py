"""Every call of gettext in the source is one that `make messages` finds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import polib
import pytest
from django.template.base import Lexer, Token, TokenType

from tests.i18n.catalogues import LOCALE, ROOT
from tests.i18n.reading import NAMES, Text

# How many of the first arguments are texts, after a context where there is one.
TEXTS = {"gettext": 1, "gettext_noop": 1, "ngettext": 2, "pgettext": 1, "npgettext": 2}
TEXTS |= {f"{name}_lazy": count for name, count in TEXTS.items() if name != "gettext_noop"}
SHORT = {"gettext", "gettext_lazy"}
# What of a template is translated, or not for people, and where that ends.
NOT_BARE = {
    "blocktranslate": "endblocktranslate",
    "comment": "endcomment",
    "block width": "endblock",
}
UNITS = {"ms"}


@cache
def sources() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text())
        for part in ("games", "marrakech_site")
        for path in (ROOT / part).rglob("*.py")
    }


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
    for node, name in handed_on(tree):
        yield node.lineno, f"{name} is handed on, and called elsewhere"


def handed_on(tree: ast.AST) -> Iterator[tuple[ast.Name | ast.Attribute, str]]:
    """Functions of translation that get another name, or are given to somebody else."""
    known = names(tree)
    called_here = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if node in called_here or not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        if isinstance(node, ast.Name) and known.get(node.id) in TEXTS:
            yield node, node.id
        elif isinstance(node, ast.Attribute) and node.attr in TEXTS:
            yield node, node.attr


def texts(call: ast.Call, name: str) -> list[str | None]:
    start = 1 if "pgettext" in name else 0
    return [
        argument.value
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        else None
        for argument in call.args[start : start + TEXTS[name]]
    ] or [None]


def test_no_call_hides_from_the_catalogues():
    found = [(name, *each) for name, tree in sources().items() for each in hidden(tree)]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "from django.utils.translation import gettext as say\nsay('Hello')",
        "from django.utils.translation import ngettext as _\n_('a', 'b', 2)",
        "from django.utils.translation import gettext as _\nf'{_(1)}'",
        "from django.utils.translation import gettext as _\n_(f'Hello {you}')",
        "from django.utils import translation\ntranslation.gettext(hello)",
        "from django.utils.translation import gettext as _\n_('Hello ' + you)",
        "from django.utils.translation import gettext as _\n_('Hello %s' % you)",
        "from django.utils.translation import gettext as _\nsay = _\nsay('Hello')",
        "from django.utils.translation import gettext\nlist(map(gettext, ['Hello']))",
        "from django.utils import translation\nsay = translation.gettext\nsay('Hello')",
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
        for tree in sources().values()
        for call, name in calls(tree)
        for text in texts(call, name)
    }
    assert len(called_with) > 400
    assert called_with - known == set()


def templates() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in (".html", ".svg", ".txt") and path.name != "robots.txt":
            yield str(path.relative_to(ROOT)), path.read_text()


def bare(template: str) -> list[str]:
    """Words that a template shows without asking for their translation."""
    shown, end = "", ""
    for token in Lexer(template).tokenize():
        if token.token_type == TokenType.BLOCK:
            if end:
                end = "" if token.contents.split()[0] == end else end
            else:
                starts = (last for first, last in NOT_BARE.items() if _begins(token, first))
                end = next(starts, "")
        elif token.token_type == TokenType.TEXT and not end:
            shown += token.contents
    words = (word for text in Text(shown, "") for word in re.findall(r"[^\W\d_]{2,}", text))
    return [word for word in words if word not in NAMES | UNITS]


def _begins(token: Token, tag: str) -> bool:
    return f"{token.contents} ".startswith(f"{tag} ")


def unread(template: str) -> list[str]:
    """Texts that are to be translated and that `make messages` cannot read."""
    return re.findall(r"""\{% trans(?:late)? (?!["']).+?%\}|\b_\((?!["'])[^)]*\)""", template)


def test_no_template_speaks_by_itself():
    found = {name: bare(text) + unread(text) for name, text in templates()}
    assert len(found) > 150
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "line",
    [
        "<p>Hello</p>",
        '<p>{% translate "Hello" %} there</p>',
        "<img alt='A rug'>",
        "{% translate greeting %}",
        "{% if _(greeting) %}{% endif %}",
        "{% blocktranslate %}Hello{% endblocktranslate %} there",
    ],
)
def test_a_template_that_speaks_by_itself_is_found(line: str) -> None:
    assert bare(line) + unread(line)
