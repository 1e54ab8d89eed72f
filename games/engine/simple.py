"""Most of a ruleset, for games without dice, hidden piles and options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from .errors import BadNotation, BadOptions, IllegalAction
from .interface import (
    LAST_PLAYER,
    Decide,
    Facts,
    Figures,
    Options,
    Over,
    Pile,
    Played,
    Ruleset,
    must_be_in,
    must_decide,
)

COLOURS = (("red",), ("blue",), ("amber",), ("green",))


class SimpleState(Protocol):
    """What a state says beside what the game itself remembers; a named tuple does."""

    @property
    def seats(self) -> int: ...

    @property
    def gone(self) -> tuple[int, ...]:
        """The seats that were given up, in that order."""
        ...


T = TypeVar("T", bound=SimpleState)


class SimpleRules(Ruleset[T]):
    """A game says its key, its numbers of seats and its notation, and defines the first
    methods below; the others follow."""

    notation: re.Pattern[str]
    """What an action looks like, allowed or not."""

    presets: Mapping[str, Options] = {"standard": {}}
    recorded: tuple[str, ...] = ("out",)
    die: tuple[int, ...] = ()

    # --- What a game defines ---

    def opening(self, seats: int) -> T:
        """The first position."""
        raise NotImplementedError

    def ahead(self, state: T) -> Decide | Over:
        """Who must choose now, or how the game has ended while at least two are in."""
        raise NotImplementedError

    def actions(self, state: T) -> Iterable[str]:
        """What the seat to act may do."""
        raise NotImplementedError

    def act(self, state: T, action: str) -> T:
        """The position after one of these actions."""
        raise NotImplementedError

    def without(self, state: T, seat: int) -> T:
        """The position after this seat, which was in, is given up."""
        raise NotImplementedError

    def show(self, state: T) -> Facts:
        """What the board is drawn from, ready for JSON."""
        raise NotImplementedError

    # --- What is of use to it ---

    def inside(self, state: T) -> list[int]:
        """The seats that still play."""
        return [seat for seat in range(state.seats) if seat not in state.gone]

    def next_inside(self, state: T, seat: int) -> int:
        """Whose turn it is after this seat's."""
        order = [(seat + step) % state.seats for step in range(1, state.seats + 1)]
        return next(other for other in order if other not in state.gone)

    def over(
        self,
        state: T,
        reason: str,
        ranks: Sequence[tuple[int, ...]],
        tallies: Mapping[str, tuple[int, ...]] | None = None,
    ) -> Over:
        """The end: these ranks, and after them whoever left, the first one last."""
        left = [(seat,) for seat in reversed(state.gone)]
        return Over(reason, (*ranks, *left), tallies or {})

    # --- What follows ---

    def options(self, given: Options) -> Options:
        if given:
            raise BadOptions(f"{self.key} has no options, got {', '.join(map(repr, given))}")
        return {}

    def colours(self, seats: int) -> tuple[tuple[str, ...], ...]:
        return COLOURS[:seats]

    def decks(self, seats: int, options: Options) -> tuple[Pile, ...]:
        return ()

    def start(self, seats: int, options: Options, piles: tuple[Pile, ...]) -> T:
        if type(seats) is not int or seats not in self.seat_counts:
            raise BadOptions(f"{self.key} is not for {seats!r} players")
        self.options(options)
        if piles:
            raise BadOptions(f"{self.key} has no piles")
        return self.opening(seats)

    def revealed(self, state: T) -> tuple[Pile, ...]:
        return ()

    def pending(self, state: T) -> Decide | Over:
        inside = self.inside(state)
        if len(inside) == 1:
            return self.over(state, LAST_PLAYER, [(inside[0],)])
        return self.ahead(state)

    def legal(self, state: T) -> tuple[str, ...]:
        decides = isinstance(self.pending(state), Decide)
        return tuple(sorted(self.actions(state))) if decides else ()

    def decide(self, state: T, seat: int, action: str) -> tuple[T, Facts]:
        if not self.notation.fullmatch(action):
            raise BadNotation(f"{action[:40]!r} is not an action of {self.key}")
        must_decide(self.pending(state), seat)
        legal = self.legal(state)
        if action not in legal:
            raise IllegalAction(f"{action[:40]}: not now, expected {', '.join(legal)[:200]}")
        return self.act(state, action), {}

    def land(self, state: T, face: int) -> tuple[T, Facts]:
        raise IllegalAction(f"no die falls in {self.key}, got {face}")

    def leave(self, state: T, seat: int) -> tuple[T, Facts]:
        over = isinstance(self.pending(state), Over)
        must_be_in(seat, state.seats, state.gone, over=over)
        return self.without(state, seat), {"out": [seat]}

    def observe(self, state: T, viewer: int | None) -> Facts:
        colours = self.colours(state.seats)
        return {
            "game": self.key,
            "seats": state.seats,
            "viewer": viewer,
            "options": {},
            "pending": self.pending(state).seen(),
            "players": [
                {"seat": seat, "colours": list(own), "in": seat not in state.gone}
                for seat, own in enumerate(colours)
            ],
            "legal": list(self.legal(state)),
            **self.show(state),
        }

    def counts(self, state: T) -> Mapping[str, tuple[int, ...]]:
        return {}

    def figures(self, seats: int, played: Iterable[Played]) -> tuple[Figures, ...]:
        return (Figures({}, {}),) * seats
