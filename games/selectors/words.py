"""What happened and how things stand, in sentences. How a game speaks is in its own words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games import titles
from games.engine.interface import Facts
from games.models import Game, Move
from games.sentences import clauses, ended, sentence


@dataclass(frozen=True)
class Turn:
    """Moves that one seat made in a row."""

    seat: int
    moves: tuple[Move, ...]

    @property
    def first(self) -> int:
        return self.moves[0].number

    @property
    def last(self) -> int:
        return self.moves[-1].number


def turns(moves: Iterable[Move]) -> list[Turn]:
    return [Turn(seat, tuple(group)) for seat, group in groupby(moves, key=lambda move: move.seat)]


def deeds(game: Game, names: Sequence[str], turn: Turn, *, own: bool = False) -> str:
    """What was done in a turn, as plain text that follows the name of who did it."""
    moves = tuple((move.action, json.dumps(move.facts)) for move in turn.moves)
    return _deeds(get_language(), game.ruleset, tuple(names), moves, own)


@lru_cache(maxsize=10_000)
def _deeds(
    language: str,
    ruleset: str,
    names: tuple[str, ...],
    moves: tuple[tuple[str, str], ...],
    own: bool,
) -> str:
    """Said once for everybody who reads the same turn in the same language."""
    words = titles.words(ruleset)
    return clauses(
        deed
        for action, facts in moves
        for deed in words.deeds(action, json.loads(facts), names, own=own)
    )


def told(game: Game, names: Sequence[str], turn: Turn, *, full: bool = False) -> SafeString:
    """The name of who took a turn and what was done: a line of a list or a full sentence."""
    done = deeds(game, names, turn)
    return format_html("<b>{}</b> {}", names[turn.seat], ended(done) if full else done)


def told_to_whoever_did_it(game: Game, names: Sequence[str], turn: Turn) -> str:
    """A turn as a sentence for the player who took it: You turned left, …"""
    done = deeds(game, names, turn, own=True)
    return sentence(_("You %(did)s") % {"did": done})


def position_in_words(observation: Facts, names: Sequence[str]) -> str:
    """The whole board as plain text, one line a fact, for those who do not see it."""
    return "\n".join(titles.words(observation["game"]).position(observation, names))
