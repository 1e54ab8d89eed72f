"""How a game speaks to people, as plain text: whoever puts it on a page escapes it there.

A room brings its own `WORDS` in `words.py`; what it does not say, these say for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.engine.interface import LAST_PLAYER, REMOVED, RESIGN, TIMEOUT, Facts, SeenPending
from games.sentences import sentence

COLOURS = {
    "red": gettext_lazy("red"),
    "blue": gettext_lazy("blue"),
    "amber": gettext_lazy("amber"),
    "green": gettext_lazy("green"),
}


def colour_name(colour: str) -> str:
    return str(COLOURS.get(colour, colour))


class Words:
    """`names` are those of the players, by seat. What `own` deeds are is said to whoever did
    them (“you are out”), otherwise of somebody (“is out”)."""

    def task(self, kind: str) -> str:
        """What is to be decided, as a heading."""
        return _("Make your move")

    def choice(self, action: str, seen: Facts) -> str:
        """What a button for this action says."""
        return action

    def in_order(self, actions: Sequence[str]) -> list[str]:
        """The actions as a reader expects to find them, wherever they are offered."""
        return list(actions)

    def coach(self, kind: str, turn: int) -> list[str]:
        """What is asked of somebody who has never played, in their first turns (from 0), and
        what is a good idea; nothing where there is nothing to say."""
        return []

    def deeds(
        self, action: str, facts: Facts, names: Sequence[str], *, own: bool = False
    ) -> list[str]:
        """What was done with an action and what it brought, as clauses without a subject."""
        if action == RESIGN:
            return [pgettext("you", "gave up") if own else _("gave up")]
        if action == TIMEOUT:
            return [pgettext("you", "ran out of time") if own else _("ran out of time")]
        if action == REMOVED:
            taken = _("was taken from the table by the moderators")
            return [
                pgettext("you", "were taken from the table by the moderators") if own else taken
            ]
        played = pgettext("you", "played %(action)s") if own else _("played %(action)s")
        return [played % {"action": action}]

    def position(self, seen: Facts, names: Sequence[str]) -> list[str]:
        """The whole board, a sentence or two for each fact, for those who do not see it."""
        lines = [
            _("%(name)s is out of the game.") % {"name": names[player["seat"]]}
            for player in seen["players"]
            if not player["in"]
        ]
        pending = seen["pending"]
        if "seat" in pending:
            waiting = _("Waiting for %(name)s") % {"name": names[pending["seat"]]}
            return [*lines, sentence(waiting)]
        return [*lines, _("The game is over.")]

    def advice(self, action: str, gain: float) -> str:
        """What the strongest bot would do, and how much better that is than anything else."""
        return _("The Vizier would play %(action)s.") % {"action": action}

    def reason(self, reason: str) -> str:
        """Why a game ended, as a heading."""
        return _("One player left") if reason == LAST_PLAYER else _("The end of the game")

    def outcome(self, reason: str) -> str:
        """Why a game ended, as a sentence; nothing where there is no more to say."""
        return _("Only one player is left.") if reason == LAST_PLAYER else ""

    def margin(self, over: SeenPending) -> int:
        """By how much the winner won, where that is a number; 0 where it is not."""
        return 0

    def decided(self, over: SeenPending, names: Sequence[str], own: int | None) -> str:
        """What the end turned on, as a sentence to the seat `own` or to anybody."""
        return self.outcome(over["reason"])

    def count(self, name: str) -> str:
        """The name of something that is counted over a game."""
        return name

    def peak(self, name: str) -> str:
        """The highest value of something, as the name of a record."""
        return name

    def feat(self, name: str) -> str:
        """The records that every game has."""
        match name:
            case "rating":
                return _("Highest rating")
            case "margin":
                return _("Clearest win")
            case "comeback":
                return _("Greatest comeback")
            case "changes":
                return _("Most changes of the lead")
        return _("Longest game, in moves")

    def rule(self, option: str, value: Any) -> str:
        """What an option of this value means."""
        return f"{option}: {value}"
