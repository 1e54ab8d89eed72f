"""What a game is played by, for forms and pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, pgettext

from games import titles
from games.models import Game, Shelf
from games.sentences import listed
from games.titles.completeness import offered


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


def reason_name(key: str, reason: str) -> str:
    return titles.words(key).reason(reason)


def differences(game: Game) -> dict[str, Any]:
    """The options of this game that are not the default ones."""
    title = titles.find(game.ruleset)
    usual = title.rules.options({}) if title else game.options
    return {name: value for name, value in game.options.items() if value != usual.get(name)}


def kinds_in_archive() -> dict[str, list[tuple[str, list[tuple[str, str]]]]]:
    """The editions and the reasons to end that finished games have: for each game of the house
    `game/value` with words for it."""
    found = {
        (shelf["ruleset"], column, shelf[column])
        for shelf in Shelf.objects.values("ruleset", "edition", "reason").distinct()
        for column in ("edition", "reason")
    }
    return {
        column: [
            (
                str(title.name),
                [
                    (f"{key}/{value}", _WORDS[column](key, value))
                    for key, kind, value in sorted(found)
                    if key == title.key and kind == column
                ],
            )
            for title in titles.TITLES.values()
            if any(key == title.key for key, _, _ in found)
        ]
        for column in ("edition", "reason")
    }


_WORDS = {"edition": edition_name, "reason": reason_name}
