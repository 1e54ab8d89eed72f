"""Reads pages, letters and calendars as people do, and finds what is in the wrong language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import allauth
import django
import polib
from babel.dates import get_month_names
from django.utils.translation import to_locale

from tests.i18n.catalogues import LOCALE

SPOKEN = {"aria-label", "title", "alt", "placeholder", "aria-description", "content", "summary"}
UNSPOKEN = {"script", "style", "code", "kbd", "pre", "template", "textarea"}
INLINE = {"a", "b", "i", "em", "strong", "small", "span", "time", "abbr", "mark", "tspan", "sub"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "use"}
DESCRIBING = {"description", "og:title", "og:description", "og:site_name", "og:image:alt"}

KNOWN_EVERYWHERE = """
Souk Marrakech Ifrito Assam Omar Ileana Wei Yasmin yasmin
Esc Enter Tab Home End UTC UTF SHA HMAC KB JavaScript Cookie openskill Plackett Luce
https http pl ru ro en zh hant seed commitment words NUL mod NDJSON CSV
English Polski Română
Discord Slack Mattermost Rocket Chat Standard Webhook Webhooks
U L a b c d e f g h k z x
"""
"""The house, its games and the people of lessons; keys, units and methods; languages by their own
names; services and what they call their doors; letters of cells."""
NAMES = frozenset(KNOWN_EVERYWHERE.split())
MADE_UP = re.compile(
    r"(?<![A-Za-z])the-\w+|\b(?:saffron|mint|marrakech)\b|\b(?:chat|notes|calendar)-[\w-]+"
    r"|\S+@\S+|https?://\S+|\b[UL]?[a-g][1-7]\b|[\w.-]*souk\.example\S*|\b[0-9a-z]{12}\b"
    r"|\b[0-9a-f]{12,}\b|/\w\w/|%\w|\b\w+/\w+(?:/\w+)?\b|\bA test\.|\brude\b|\b1\.test\b"
    r"|\b[a-z]+-[a-z]+-\d{6}\b|\b[0-9a-f]{8}\b|(?<=[«„“「])bot\b"
    r"|\b[A-Z2-7]{32}\b|(?<!\S)[?!]{1,2}(?!\S)",
    re.ASCII,
)
HALVES_OF_A_DAY = re.compile(r"\d [ap]\.m\.|\d [AP]M\b")
SMALL_AFTER_A_STOP = re.compile(r"[^\W\d_]{4,}[.!?] [а-яa-ząćęłńóśźżăâîșț]\w*")
LATIN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]+")
CHINESE = r"[\u4e00-\u9fff」』）》]"
WESTERN_MARK = re.compile(rf"{CHINESE} ?[,;:!?(]|[,;:!?(] ?{CHINESE}|{CHINESE}\.")
GAP = re.compile(
    r".?[，。：；！？、] (?![·–]|https?:).?|.?[（《「『] .?|.? [，。；！？、）》」』].?"
)
"""Around a full-width mark, which brings its own; dots, dashes and addresses still stand apart."""
COMMON = """
the and you your yours of is it its this that these those with for from not have has had was
were been will would should could can cannot must may somebody nobody everybody whoever
please here there when which what who why how all only their they them she him than then
because before after again already always never still until while where whether without
into over under between during try click choose enter type required invalid
"""


class Text(HTMLParser):
    """What of a page is read or read out, block by block, and attribute by attribute."""

    def __init__(self, page: str, language: str) -> None:
        super().__init__()
        self.blocks = [""]
        self.attributes: list[str] = []
        self._language = language
        self._skipped: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if self._skipped:
            if tag not in VOID:
                self._skipped.append(tag)
            return
        if tag not in INLINE:
            self.blocks.append("")
        foreign = given.get("lang", self._language) != self._language
        if tag not in VOID and (tag in UNSPOKEN or foreign):
            self._skipped.append(tag)
            return
        for name, value in given.items():
            describes = tag != "meta" or given.get("name", given.get("property")) in DESCRIBING
            if (name in SPOKEN and describes) or name.startswith("data-say"):
                self.attributes.append(value)
        if tag == "input" and given.get("type") in ("submit", "button"):
            self.attributes.append(given.get("value", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            if tag in self._skipped:
                while self._skipped.pop() != tag:
                    pass
        elif tag not in INLINE:
            self.blocks.append("")

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.blocks[-1] += data

    def __iter__(self) -> Iterator[str]:
        for text in (*self.blocks, *self.attributes):
            if plain := " ".join(text.split()):
                yield plain


def wrong(text: str, language: str) -> list[str]:
    """The English words of a text; western marks and blanks where Chinese has none."""
    plain = MADE_UP.sub(" ", text)
    if language == "en":
        return HALVES_OF_A_DAY.findall(plain)
    words = [word for word in LATIN.findall(plain) if word not in NAMES]
    if language in ("ru", "zh-hant"):
        found = words
    else:
        found = [word for word in words if word.lower() in english_only(language)]
    if language == "zh-hant":
        found += [match[0] for match in WESTERN_MARK.finditer(plain)]
        found += GAP.findall(text)
    return found + SMALL_AFTER_A_STOP.findall(plain)


@cache
def english_only(language: str) -> frozenset[str]:
    """Words of our English texts and of all English that the language does not have."""
    english = set(COMMON.split())
    own = _words(" ".join(get_month_names("abbreviated", locale=to_locale(language)).values()))
    for entry in _entries(language):
        pairs = [(entry.msgid, entry.msgstr)]
        if entry.msgid_plural:
            forms = entry.msgstr_plural.values()
            pairs = [(entry.msgid, each) for each in forms] + [(entry.msgid_plural, "")]
        for source, translation in pairs:
            english |= _words(source)
            # A text that says the same in both is no witness, unless it is one word: a loan.
            if source != translation or " " not in source:
                own |= _words(translation)
    return frozenset(english - own - {name.lower() for name in NAMES})


def _words(text: str) -> set[str]:
    plain = re.sub(r"%\(\w+\)[sd]|<[^>]+>", " ", text)
    return {word.lower() for word in re.findall(r"[^\W\d_]{2,}", plain)}


def _entries(language: str) -> Iterable[polib.POEntry]:
    locale = to_locale(language)
    libraries = [
        Path(django.__file__).parent / "conf" / "locale",
        Path(django.__file__).parent / "contrib" / "auth" / "locale",
        Path(allauth.__file__).parent / "locale",
    ]
    for folder in (LOCALE, *libraries):
        source = folder / locale / "LC_MESSAGES" / "django.po"
        yield from (entry for entry in polib.pofile(str(source)) if not entry.obsolete)
