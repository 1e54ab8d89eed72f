"""What somebody reads who was asked to a table: one sentence and a picture before all terms."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.models import Game
from games.moments import span
from games.selectors import lessons
from games.selectors.rules import name_of


def sentence_of(game: Game) -> str:
    return _("A game of %(game)s for %(size)d players, %(pace)s.") % {
        "game": name_of(game.ruleset),
        "size": game.size,
        "pace": pace_of(game),
    }


def pace_of(game: Game) -> str:
    """For somebody who does not know the names of the paces."""
    added = Game.Pace(game.pace).increment
    return _("%(time)s for each turn") % {"time": span(added)} if added else _("without clock")


def picture_of(game: Game) -> Any:
    """A board of the game that is played, in the middle of things; None where there is none."""
    if game.ruleset not in lessons.taught():
        return None
    return lessons.window(game.ruleset).board
