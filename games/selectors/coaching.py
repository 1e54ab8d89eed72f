"""A word beside the question for somebody who has never played: the first turns of a guest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games import titles
from games.models import Player
from games.selectors.table import Table

TURNS = 3


@dataclass(frozen=True, slots=True)
class Coach:
    """What is asked in this turn, and what is a good idea."""

    turn: int
    sentences: Sequence[str]


def coach_of(table: Table, viewer: Player | None) -> Coach | None:
    """Only in the game with which the guest came in, for the first turns."""
    own = table.own_seat
    if viewer is None or not viewer.is_guest or own is None or not table.may_act:
        return None
    if table.game.created_at != viewer.date_joined:
        return None
    taken = [turn for turn in table.turns if turn.seat == own.number]
    is_amid = bool(table.turns) and table.turns[-1].seat == own.number
    turn = len(taken) - is_amid
    if turn >= TURNS:
        return None
    sentences = titles.words(table.game.ruleset).coach(table.pending["kind"], turn)
    return Coach(turn + 1, sentences) if sentences else None
