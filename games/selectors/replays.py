"""Games as they were replayed last in this process, so that only what is new is played again.

A line is known by all that it follows from (rules, options, seed, words, and then each move),
so it is never out of date, and whoever takes back a move or restores a database is served too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from games.engine.interface import Played
from games.models import Game, Move, Seat
from games.selectors.position import Position, starting_from, words_of

KEPT = 100
"""A game takes up to a hundred kilobytes."""


class Line:
    """The start of a game and the longest way from there that was asked for."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self._played: tuple[Played, ...] = ()

    def along(self, moves: Sequence[Move]) -> tuple[Played, ...]:
        """These moves, played from the start."""
        # Several threads may be here at once: each works on the line that it found.
        played = self._played
        known = 0
        for step, move in zip(played, moves, strict=False):
            if step.seat != move.seat or step.action != move.action:
                break
            known += 1
        if known == len(moves):
            return played[:known]
        longer = [*played[:known]]
        here = replace(self.start, state=longer[-1].after) if longer else self.start
        for move in moves[known:]:
            after, facts = here.after(move.seat, move.action)
            longer.append(Played(move.seat, move.action, here.state, after.state, facts))
            here = after
        self._played = tuple(longer)
        return self._played


def line(game: Game, seats: Sequence[Seat]) -> Line:
    """Of a game that has started, with all its seats."""
    options = json.dumps(game.options, sort_keys=True)
    return kept_line(game.ruleset, game.size, options, bytes(game.seed), words_of(seats))


@lru_cache(maxsize=KEPT)
def kept_line(ruleset: str, size: int, options: str, seed: bytes, entropy: tuple[str, ...]) -> Line:
    return Line(starting_from(ruleset, size, json.loads(options), seed, entropy))
