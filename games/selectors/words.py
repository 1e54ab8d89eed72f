"""What happened, in sentences. How a game speaks is in the templates of that game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.engine.interface import Facts
from games.models import Game, Move


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


def sentence(game: Game, names: Sequence[str], turn: Turn) -> str:
    """A turn as one sentence of safe HTML, without the name of who took it."""
    told = tuple((move.seat, move.action, json.dumps(move.facts)) for move in turn.moves)
    return _sentence(game.ruleset, get_language(), tuple(names), told)


@lru_cache(maxsize=4096)
def _sentence(
    ruleset: str, language: str, names: Sequence[str], told: Iterable[tuple[int, str, str]]
) -> str:
    """Remembered, because a page tells every turn of its game again after each move."""
    clauses = [
        render_to_string(
            f"games/{ruleset}/_move.html",
            {"move": {"seat": seat, "action": action}, "facts": json.loads(facts), "names": names},
        ).strip()
        for seat, action, facts in told
    ]
    return render_to_string("games/_clauses.html", {"clauses": clauses}).strip()


def position_in_words(observation: Facts, names: Sequence[str]) -> str:
    """The whole board as plain text, one line a fact, for those who do not see it."""
    return _position(json.dumps(observation), get_language(), tuple(names))


@lru_cache(maxsize=512)
def _position(observation: str, language: str, names: Sequence[str]) -> str:
    """Remembered, because pages and letters tell the same position to several people."""
    seen = json.loads(observation)
    return render_to_string(
        f"games/{seen['game']}/_position.txt", {"seen": seen, "names": names}
    ).strip()
