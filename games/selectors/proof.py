"""What anybody needs to check the dice of a finished game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from games.engine import chance
from games.engine.interface import Source, play
from games.models import Game, Player
from games.selectors import promise
from games.selectors.position import starting_position


@dataclass(frozen=True)
class Roll:
    """Chance event number `event` fell on `face`: `byte` is the first that is low enough."""

    event: int
    faces: tuple[int, ...]
    face: int
    player: Player
    move: int
    digest: str
    byte: int

    @property
    def index(self) -> int:
        """Which of the faces, from 0."""
        return self.byte % len(self.faces)


@dataclass
class Witness:
    """Passes on what a source draws, and remembers it."""

    source: Source
    draws: list[tuple[int, tuple[int, ...], int]] = field(default_factory=list)

    def draw(self, event: int, faces: tuple[int, ...]) -> int:
        face = self.source.draw(event, faces)
        self.draws.append((event, faces, face))
        return face


@dataclass(frozen=True)
class Proof:
    """The seed, which is public once the game is over, and every number that came from it."""

    commitment: str
    seed: str
    entropy: Sequence[str]
    joined: Sequence[Player]
    words: Sequence[tuple[Player, str, str]]
    """The word of each player, and where it comes from, in order of joining."""
    seating: Sequence[Player]
    decks: Sequence[Sequence[str]]
    faces: Sequence[int]
    rolls: Sequence[Roll]


def is_published(game: Game) -> bool:
    """Whether nothing more can come of the seed."""
    return game.status in (Game.Status.OVER, Game.Status.ANNULLED)


def proof(game: Game) -> Proof:
    if not is_published(game):
        raise ValueError("the seed of a game that is not over is secret")
    seats = list(game.seats.select_related("player"))
    by_joining = sorted(seats, key=lambda seat: seat.joined)
    by_number = sorted(seats, key=lambda seat: seat.number or 0)
    here = starting_position(game, seats)
    rules, state = here.rules, here.state
    rolls: list[Roll] = []
    for move in game.moves.order_by("number"):
        witness = Witness(here.source)
        state, _ = play(rules, state, move.seat, move.action, witness)
        rolls += [
            _roll(here.source, draw, by_number[move.seat].player, move.number)
            for draw in witness.draws
        ]
    return Proof(
        commitment=game.commitment,
        seed=bytes(game.seed).hex(),
        entropy=[seat.entropy for seat in by_joining],
        joined=[seat.player for seat in by_joining],
        words=[(seat.player, seat.entropy, promise.origin_of(seat)) for seat in by_joining],
        seating=[seat.player for seat in by_number],
        decks=chance.deal(
            bytes(game.seed),
            [seat.entropy for seat in by_joining],
            rules.decks(game.size, game.options),
        ),
        faces=rules.die,
        rolls=rolls,
    )


def _roll(
    source: chance.SeededSource, draw: tuple[int, tuple[int, ...], int], player: Player, move: int
) -> Roll:
    event, faces, face = draw
    limit = 256 - 256 % len(faces)
    blocks = (source.block(event, number) for number in count())
    digest, byte = next((block.hex(), byte) for block in blocks for byte in block if byte < limit)
    return Roll(event, faces, face, player, move, digest, byte)
