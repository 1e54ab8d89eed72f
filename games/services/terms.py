"""What the players of a game can agree on: every check of its terms, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.errors import BadOptions
from games.engine.interface import Ruleset
from games.models import LUCKY_WORD, Game
from games.selectors.rules import edition_with
from games.services import luck
from games.services.errors import Refused
from games.services.luck import Word
from games.titles.completeness import offered
from games.titles.manifest import CUSTOM, Title

NO_SUCH_BOTS = gettext_lazy("There are no such bots.")


def checked_title(key: str, size: int) -> Title:
    title = next((each for each in offered() if each.key == key), None)
    if title is None:
        raise Refused(_("This game is not played here."))
    if size not in title.seats:
        raise Refused(_("This game cannot be played by so many."))
    return title


def checked_options(rules: Ruleset[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return dict(rules.options(options))
    except BadOptions:
        raise Refused(_("These rule options do not exist.")) from None


def checked_edition(rules: Ruleset[Any], options: Mapping[str, Any], wished: str) -> str:
    """Editions that agree on the rules keep the name that was chosen; own rules that are
    those of an edition get its name."""
    if wished in rules.presets:
        if rules.presets[wished] != options:
            raise Refused(_("This edition is played by other rules."))
        return wished
    if wished not in ("", CUSTOM):
        raise Refused(_("This edition does not exist."))
    return edition_with(rules.key, options)


def check_terms(*, pace: str, visibility: str, rated: bool) -> None:
    if pace not in Game.Pace.values:
        raise Refused(_("This pace does not exist."))
    if visibility not in Game.Visibility.values:
        raise Refused(_("Choose who can join: everybody, people with the link, or named players."))
    if rated and pace == Game.Pace.NONE:
        raise Refused(_("A game without clock is always casual."))


def check_bots(title: Title, *, on_timeout: str, fill_level: str, rated: bool) -> None:
    if on_timeout not in Game.OnTimeout.values:
        raise Refused(_("Choose what happens to a seat whose time runs out."))
    if fill_level:
        check_level(title, fill_level)
    if on_timeout == Game.OnTimeout.BOT and not title.bot_levels:
        raise Refused(NO_SUCH_BOTS)
    if fill_level and rated:
        raise Refused(_("A game with bots is always casual."))


def check_level(title: Title, level: str) -> None:
    if level not in title.bot_levels:
        raise Refused(NO_SUCH_BOTS)


def checked_word(entropy: str, drawn_word: str = "") -> Word:
    """The word of a player; without one the server draws it."""
    try:
        if entropy:
            LUCKY_WORD(entropy)
    except ValidationError:
        raise Refused(LUCKY_WORD.message) from None
    return luck.brought(entropy, drawn_word=drawn_word)
