"""Fair chance: a secret seed, its commitment, and the numbers that follow from it.

The seed is drawn outside the engine and stays secret until the game is over; its
SHA-256 is published at once. Every outcome depends on the seed and on a word from
each player, so neither side can choose it and everybody can check it afterwards.
Chance events are numbered: 0 is the seating, then each pile, then each roll.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

from .errors import BadRecord
from .interface import Pile

T = TypeVar("T")

SEED_BYTES = 32
SEATING = 0
FIRST_PILE = 1


def commitment(seed: bytes) -> str:
    """What is published of a seed while it is still secret."""
    return hashlib.sha256(seed).hexdigest()


def first_roll(piles: int) -> int:
    """The number of the first roll's event in a game that shuffles so many piles."""
    return FIRST_PILE + piles


class SeededSource:
    """The outcomes of one game: the same seed and words give the same numbers for ever."""

    def __init__(self, seed: bytes, entropy: Sequence[str]) -> None:
        # All that the messages have in common is hashed once: this halves the time of a roll.
        prefix = f"{commitment(seed)}|{','.join(entropy)}|"
        self._hmac = hmac.new(seed, prefix.encode(), "sha256")

    def block(self, event: int, number: int) -> bytes:
        """The so many-th 32 bytes of the stream of this event."""
        message = self._hmac.copy()
        message.update(b"%d|%d" % (event, number))
        return message.digest()

    def draw(self, event: int, faces: tuple[int, ...]) -> int:
        sides = len(faces)
        first = self.block(event, 0)[0]
        # Nearly always the first byte decides.
        return faces[first % sides if first < _fair(sides) else Stream(self, event).below(sides)]

    def shuffle(self, event: int, items: Sequence[T]) -> tuple[T, ...]:
        """Fisher–Yates from the last index down."""
        stream = Stream(self, event)
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = stream.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)


def _fair(n: int) -> int:
    """Bytes from here on would favour the lower of n numbers."""
    return 256 - 256 % n


class Stream:
    """The endless bytes of one chance event, read as numbers."""

    __slots__ = ("_blocks", "_bytes", "_event", "_source")

    def __init__(self, source: SeededSource, event: int) -> None:
        self._source = source
        self._event = event
        self._bytes = iter(source.block(event, 0))
        self._blocks = 1

    def below(self, n: int) -> int:
        """A number below n (at most 256), each equally likely: uneven bytes are thrown away."""
        limit = _fair(n)
        while True:
            for byte in self._bytes:
                if byte < limit:
                    return byte % n
            self._bytes = iter(self._source.block(self._event, self._blocks))
            self._blocks += 1


def seating(seed: bytes, entropy: Sequence[str]) -> tuple[int, ...]:
    """For each seat, which player sits there, counted in order of joining."""
    return SeededSource(seed, entropy).shuffle(SEATING, range(len(entropy)))


def deal(seed: bytes, entropy: Sequence[str], decks: Sequence[Pile]) -> tuple[Pile, ...]:
    """The shuffled piles, in the order of the decks that the ruleset names."""
    source = SeededSource(seed, entropy)
    return tuple(source.shuffle(FIRST_PILE + index, deck) for index, deck in enumerate(decks))


class RecordedSource:
    """The outcome that one recorded move claims, where the seed is not there to check it."""

    def __init__(self, face: int | None) -> None:
        self._face = face

    def draw(self, event: int, faces: tuple[int, ...]) -> int:
        if self._face in faces:
            return self._face
        shown = "no die stands there" if self._face is None else f"the die is {self._face}"
        raise BadRecord(f"{shown}, expected one of {', '.join(map(str, sorted(set(faces))))}")
