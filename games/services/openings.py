"""The tree of openings: bounded, and the same in whatever order its games were entered.

A place of the tree is followed by others only once `LEAST` games came through it. Until then its
few games wait: in memory while everything is counted anew, otherwise their paths stand with the
games themselves. The game that makes them enough brings all of them in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from games.models import Game, Opening
from games.selectors.finished import WITH_BOTS

LEAST = 20
ROOT = ""


class Line(NamedTuple):
    """A game as the tree knows it."""

    path: str
    facet: str
    winners: frozenset[int]

    @property
    def places(self) -> list[str]:
        """From the root on."""
        steps = self.path.split("/") if self.path else []
        return [ROOT, *("/".join(steps[: n + 1]) for n in range(len(steps)))]


class Waiting(Protocol):
    """The lines of games that came through a place with nothing after it yet."""

    def take(self, path: str) -> Sequence[Line]: ...

    def keep(self, path: str, lines: Sequence[Line]) -> None: ...


class Tree:
    """Of one game of the house and one number of players: the places that are there."""

    def __init__(self, ruleset: str, size: int, waiting: Waiting) -> None:
        self.ruleset, self.size, self.waiting = ruleset, size, waiting
        self.places: dict[str, Opening] = {}

    def enter(self, line: Line) -> None:
        """Count a game at every place that it came through and that is there by now."""
        for path in line.places:
            self._count(path, line)
            games = self.places[path].games
            if games == LEAST:
                self._grow(path, [*self.waiting.take(path), line])
            elif games < LEAST:
                self.waiting.keep(path, [line])
            if games <= LEAST:
                return

    def _grow(self, parent: str, lines: Iterable[Line]) -> None:
        """All that follows on a place which just got enough games."""
        depth = len(parent.split("/")) + 1 if parent else 1
        after: dict[str, list[Line]] = {}
        for line in lines:
            if len(line.places) > depth:
                after.setdefault(line.places[depth], []).append(line)
        for path, through in after.items():
            for line in through:
                self._count(path, line)
            if len(through) >= LEAST:
                self._grow(path, through)
            else:
                self.waiting.keep(path, through)

    def _count(self, path: str, line: Line) -> None:
        place = self.places.get(path)
        if place is None:
            place = self.places[path] = Opening(
                ruleset=self.ruleset, size=self.size, path=path, parent=path.rpartition("/")[0]
            )
        place.games += 1
        count = place.counts.setdefault(line.facet, [0, 0])
        count[0] += 1
        count[1] += bool(path) and mover(path) in line.winners


def mover(path: str) -> int:
    """The seat that made the last step of a path."""
    return int(path.rpartition("/")[2][0])


def facet(edition: str, band: int, *, bots: bool) -> str:
    return f"{edition}|{band}|{'bots' if bots else 'people'}"


class InMemory:
    """Lines that wait while everything is counted anew."""

    def __init__(self) -> None:
        self.lines: dict[str, list[Line]] = {}

    def take(self, path: str) -> Sequence[Line]:
        return self.lines.pop(path, ())

    def keep(self, path: str, lines: Sequence[Line]) -> None:
        self.lines.setdefault(path, []).extend(lines)


class InGames:
    """Lines that wait in the rows of finished games."""

    def __init__(self, ruleset: str, size: int) -> None:
        self.games = Game.objects.filter(
            ruleset=ruleset,
            size=size,
            status=Game.Status.OVER,
            visibility=Game.Visibility.PUBLIC,
            exhibition=None,
            # Entered in the books, which an annulled game is no longer.
            shelf__isnull=False,
        )

    def take(self, path: str) -> Sequence[Line]:
        # "0" comes right after "/": a range that the index knows.
        start, end = (f"{path}/", f"{path}0") if path else ("0", "9")
        found = self.games.filter(opening__gte=start, opening__lt=end).prefetch_related("seats")
        return [line_of(game, _winners(game)) for game in found]

    def keep(self, path: str, lines: Sequence[Line]) -> None:
        """They are there already."""


def line_of(game: Game, winners: frozenset[int]) -> Line:
    bots = bool(game.traits & WITH_BOTS)
    return Line(game.opening, facet(game.edition, game.band, bots=bots), winners)


def _winners(game: Game) -> frozenset[int]:
    return frozenset(seat.number or 0 for seat in game.seats.all() if seat.place == 1)
