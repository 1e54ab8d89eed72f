"""The position of a game: replayed from its moves, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from games import titles
from games.engine import chance
from games.engine.games import ruleset
from games.engine.interface import Facts, Observation, Pending, Ruleset, play, see
from games.models import Game, Move, Seat

OPENING = 8
"""So many moves have often been made elsewhere, too: such a board is nobody's own."""
APART = ("players", "options", "legal")


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


def sight_of(rules: Ruleset[Any], state: Any) -> str:
    """The board as everybody sees it, in one word. What players have in their hands and purses is
    left out: a coin more or less changes nothing about what is best. A room knows what else makes
    no other position, such as the order in which it was put together."""
    seen = see(rules, state, None)
    essence = titles.brings(rules.key, "sight", "sight")
    shown = (
        essence(seen)
        if essence
        else {name: each for name, each in seen.items() if name not in APART}
    )
    return blake2b(repr(shown).encode(), digest_size=8).hexdigest()


def starting_position(game: Game, seats: Sequence[Seat]) -> Position:
    """The position before the first move; `seats` are all seats of a game that has started."""
    return starting_from(game.ruleset, game.size, game.options, bytes(game.seed), words_of(seats))


def words_of(seats: Sequence[Seat]) -> tuple[str, ...]:
    """What the players gave to the dice, in the order in which they came."""
    return tuple(seat.entropy for seat in sorted(seats, key=lambda seat: seat.joined))


def starting_from(
    key: str, size: int, options: Facts, seed: bytes, entropy: Sequence[str]
) -> Position:
    rules = ruleset(key)
    piles = chance.deal(seed, entropy, rules.decks(size, options))
    source = chance.SeededSource(seed, entropy)
    return Position(rules, rules.start(size, options, piles), source)


def position(game: Game, seats: Sequence[Seat], moves: Iterable[Move]) -> Position:
    """The position after these moves, which are the first ones of the game in order."""
    here = starting_position(game, seats)
    for move in moves:
        here, _ = here.after(move.seat, move.action)
    return here
