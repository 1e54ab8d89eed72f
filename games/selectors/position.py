"""The position of a game: replayed from its moves, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import chance
from games.engine.games import ruleset
from games.engine.interface import Facts, Observation, Pending, Ruleset, play, see
from games.models import Game, Move, Seat


@dataclass(frozen=True)
class Position:
    """A game after some of its moves, with the source of what chance brings next."""

    rules: Ruleset[Any]
    state: Any
    source: chance.SeededSource

    @property
    def pending(self) -> Pending:
        return self.rules.pending(self.state)

    def after(self, seat: int, action: str) -> tuple[Position, Facts]:
        state, facts = play(self.rules, self.state, seat, action, self.source)
        return Position(self.rules, state, self.source), facts

    def observe(self, viewer: int | None) -> Observation:
        return see(self.rules, self.state, viewer)


def starting_position(game: Game, seats: Sequence[Seat]) -> Position:
    """The position before the first move; `seats` are all seats of a game that has started."""
    rules = ruleset(game.ruleset)
    entropy = [seat.entropy for seat in sorted(seats, key=lambda seat: seat.joined)]
    seed = bytes(game.seed)
    piles = chance.deal(seed, entropy, rules.decks(game.size, game.options))
    return Position(
        rules, rules.start(game.size, game.options, piles), chance.SeededSource(seed, entropy)
    )


def position(game: Game, seats: Sequence[Seat], moves: Iterable[Move]) -> Position:
    """The position after these moves, which are the first ones of the game in order."""
    here = starting_position(game, seats)
    for move in moves:
        here, _ = here.after(move.seat, move.action)
    return here
