"""What a game of Ifrito remembers from one decision to the next."""

from __future__ import annotations

from typing import NamedTuple

from .geometry import ALL_CELLS

HAND, GONE = -1, -2

Key = tuple[int, int, tuple[tuple[int, int, int], ...]]


class State(NamedTuple):
    """Carpets are numbered through all seats: with n each, seat s owns n·s to n·s + n - 1.

    No genie ever stands on a cell under a carpet: it boards when the carpet comes,
    and one that is left behind is left by a carpet that goes.
    """

    turn: int
    genies: int
    """The cells with a genie, as a mask."""
    places: tuple[int, ...]
    """Of each carpet: its cell, HAND, or GONE with its owner."""
    seated: tuple[int, ...]
    """Of each carpet: the cushions with a genie, as a mask."""
    prison: tuple[int, ...]
    captured: tuple[int, ...]
    left: tuple[int, ...] = ()
    """The seats that were given up, in that order."""
    pick: tuple[int, int] | None = None
    """The seat that must pick a genie, and the carpet it picks from."""
    quiet: int = 0
    """Turns in a row without an entry or a capture."""
    seen: tuple[Key, ...] = ()
    """The positions at the starts of turns since the last entry, capture or leaver.

    Nothing older can come back: a capture fills a prison for good, a leaver's carpets are
    gone for good, and an entry empties a hand that only a capture fills again.
    """
    ended: str = ""

    @property
    def seats(self) -> int:
        return len(self.prison)

    def carpets(self, seat: int) -> range:
        each = len(self.places) // len(self.prison)
        return range(each * seat, each * seat + each)

    def owner(self, carpet: int) -> int:
        return carpet * len(self.prison) // len(self.places)

    def hand(self, seat: int) -> int:
        own = self.carpets(seat)
        return self.places[own.start : own.stop].count(HAND)

    def aboard(self, seat: int) -> int:
        return sum(self.seated[carpet].bit_count() for carpet in self.carpets(seat))

    def key(self, turn: int) -> Key:
        """What makes two positions the same: carpets of one owner are alike, prisons see `seen`."""
        owners = map(self.owner, range(len(self.places)))
        return turn, self.genies, tuple(sorted(zip(owners, self.places, self.seated, strict=True)))


def opening(seats: int) -> State:
    each = 3 if seats == 2 else 2
    return State(
        turn=0,
        genies=ALL_CELLS,
        places=(HAND,) * (each * seats),
        seated=(0,) * (each * seats),
        prison=(0,) * seats,
        captured=(0,) * seats,
    )
