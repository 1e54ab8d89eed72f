"""What a game is played by, for forms and pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext

from games import titles
from games.engine.errors import BadOptions
from games.models import Game
from games.sentences import listed
from games.titles.completeness import offered
from games.titles.manifest import CUSTOM


@dataclass(frozen=True)
class Edition:
    """What a game is played by: its name, what is worth knowing of it, and where all is told."""

    name: str
    differences: tuple[str, ...]
    query: str
    """For the address of the rules page: the options, so that it tells the rules as played."""


def name_of(key: str) -> str:
    """What the game is called in the language of the page."""
    title = titles.find(key)
    return str(title.name) if title else key


def offered_names() -> str:
    """All games that can be played here, as a list in a sentence."""
    # Some languages put names of games in quotation marks.
    quoted = pgettext("a game in a sentence", "%(name)s")
    *others, last = [quoted % {"name": title.name} for title in offered()] or [""]
    if not others:
        return last
    return gettext("%(others)s and %(last)s") % {"others": listed(others), "last": last}


def motto() -> str:
    """What the first page says in large letters: the words of the first game that has any."""
    mottos = (str(title.motto) for title in offered() if title.motto)
    return next(mottos, gettext("Board games by correspondence"))


def edition_name(key: str, edition: str) -> str:
    title = titles.find(key)
    return str(title.edition(edition).name) if title else edition


def edition_with(key: str, options: Mapping[str, Any]) -> str:
    """The first edition that is played so; own rules where there is none."""
    presets = titles.TITLES[key].rules.presets
    return next((name for name, preset in presets.items() if preset == options), CUSTOM)


def reason_name(key: str, reason: str) -> str:
    return titles.words(key).reason(reason)


def differences(game: Game) -> dict[str, Any]:
    """The options of this game that are not the default ones."""
    title = titles.find(game.ruleset)
    usual = title.rules.options({}) if title else game.options
    return {name: value for name, value in game.options.items() if value != usual.get(name)}


def edition_of(game: Game) -> Edition:
    title = titles.find(game.ruleset)
    if title is None:
        return Edition(game.edition, (), "")
    stated = title.edition(game.edition)
    said = [str(difference) for difference in stated.differences]
    words = titles.words(game.ruleset)
    said = said or [words.rule(option, value) for option, value in differences(game).items()]
    return Edition(str(stated.name), tuple(said), urlencode(_as_text(game.options)))


def rules_as_played(key: str, given: Mapping[str, str]) -> list[str]:
    """What the options that an address states mean; nothing where it states none, or wrong."""
    rules = titles.TITLES[key].rules
    known = {
        name: given[name] == "true" if isinstance(usual, bool) else given[name]
        for name, usual in rules.options({}).items()
        if name in given
    }
    try:
        options = rules.options(known) if known else {}
    except BadOptions:
        return []
    return [titles.words(key).rule(option, value) for option, value in options.items()]


def _as_text(options: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in options.items()
    }
