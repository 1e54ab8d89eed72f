"""What every game of the house looks like from outside.

A game is its ordered moves. A ruleset is a set of pure functions over a frozen
state; chance is a node of the game, answered by a source, never drawn inside
the rules. Services, clocks and mail read `pending()` and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, Required, TypedDict, TypeVar, cast

from .errors import BadOptions, IllegalAction, NotYourDecision

Facts = Mapping[str, Any]
Options = Mapping[str, Any]
Pile = tuple[str, ...]

RESIGN = "resign"
TIMEOUT = "timeout"
REMOVED = "removed"
"""Taken from the table by whoever runs it: so a game is adjudicated, and its record says so."""
LEAVING = (RESIGN, TIMEOUT, REMOVED)

LAST_PLAYER = "last_player"
"""Why a game ends when all but one have left: the one reason that every game shares."""


@dataclass(frozen=True, slots=True)
class Decide:
    """A seat must choose; it need not be the seat whose turn it is."""

    seat: int
    kind: str

    def seen(self) -> SeenPending:
        """As an observation shows it."""
        return {"type": "decide", "seat": self.seat, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Chance:
    """A die must fall: an index into `faces`, drawn for event number `event`."""

    event: int
    faces: tuple[int, ...]

    def seen(self) -> SeenPending:
        """As an observation shows it."""
        return {"type": "chance", "faces": list(self.faces)}


@dataclass(frozen=True, slots=True)
class Over:
    """The end: why, seats by rank (ties share a rank), and the counts that led to it."""

    reason: str
    ranking: tuple[tuple[int, ...], ...]
    tallies: Mapping[str, tuple[int, ...]]

    def result(self) -> dict[str, Any]:
        """As it stands in records and in the database."""
        return {"reason": self.reason, "ranking": self._ranks(), **self._counts()}

    def seen(self) -> SeenPending:
        """As an observation shows it."""
        return {
            "type": "over",
            "reason": self.reason,
            "ranking": self._ranks(),
            "tallies": self._counts(),
        }

    def _ranks(self) -> list[list[int]]:
        return [list(rank) for rank in self.ranking]

    def _counts(self) -> dict[str, list[int]]:
        return {name: list(counts) for name, counts in self.tallies.items()}


Pending = Decide | Chance | Over


class SeenPending(TypedDict, total=False):
    """What is pending: a decision (`seat`, `kind`), a fall of the die (`faces`), or nothing any
    more (`reason`, `ranking`, `tallies`)."""

    type: Required[Literal["decide", "chance", "over"]]
    seat: int
    kind: str
    faces: list[int]
    reason: str
    ranking: list[list[int]]
    tallies: dict[str, list[int]]


# In this form because `in` is a word of the language.
SeenPlayer = TypedDict("SeenPlayer", {"seat": int, "colours": list[str], "in": bool})
"""One seat: its number, its colours, and whether it still plays."""


class Observation(TypedDict):
    """What every page, bot and letter may rely on in an observation, whatever the game.

    A game adds what it likes, to the whole and to each player; only its own room reads that.
    """

    game: str
    seats: int
    viewer: int | None
    options: dict[str, Any]
    pending: SeenPending
    players: list[SeenPlayer]
    legal: list[str]
    """What the seat to act may do, in canonical notation; empty where nobody decides."""


class Source(Protocol):
    """Where the outcome of a chance node comes from: a seeded stream or a record."""

    def draw(self, event: int, faces: tuple[int, ...]) -> int: ...


S = TypeVar("S")


class Played(NamedTuple):
    """One row of a record with the states around it."""

    seat: int
    action: str
    before: Any
    after: Any
    facts: Facts


@dataclass(frozen=True, slots=True)
class Figures:
    """What one seat did in a whole game: names with their sum, names with their highest value.

    Whole numbers, so that they add up to the same in any order.
    """

    sums: Mapping[str, int]
    peaks: Mapping[str, int]


class Ruleset(Protocol[S]):
    """One game. `S` is frozen, hashable and private to the game."""

    key: str
    seat_counts: tuple[int, ...]
    presets: Mapping[str, Options]
    recorded: tuple[str, ...]
    """The facts of a move that stand in a record; others are for display only."""
    die: tuple[int, ...]
    """The faces of the die, each as often as it is there; none where there is no die."""

    def options(self, given: Options) -> Options:
        """The complete, checked options; what is not given has its default."""
        ...

    def colours(self, seats: int) -> tuple[tuple[str, ...], ...]:
        """The colours of each seat."""
        ...

    def decks(self, seats: int, options: Options) -> tuple[Pile, ...]:
        """The piles to shuffle before the start, unshuffled, in order of their chance events."""
        ...

    def start(self, seats: int, options: Options, piles: tuple[Pile, ...]) -> S: ...

    def revealed(self, state: S) -> tuple[Pile, ...]:
        """The part of each pile that everybody has seen, from the top."""
        ...

    def pending(self, state: S) -> Pending: ...

    def legal(self, state: S) -> tuple[str, ...]:
        """Canonical notation, sorted; empty where nobody decides."""
        ...

    def decide(self, state: S, seat: int, action: str) -> tuple[S, Facts]: ...

    def land(self, state: S, face: int) -> tuple[S, Facts]:
        """Go on after a chance node; `face` is the value that came up."""
        ...

    def leave(self, state: S, seat: int) -> tuple[S, Facts]:
        """Resignation, lost on time or removed: any seat still in, at any moment."""
        ...

    def observe(self, state: S, viewer: int | None) -> Facts:
        """All that this viewer may know, ready for JSON: an `Observation`, and whatever else
        the room of the game wants to show."""
        ...

    def counts(self, state: S) -> Mapping[str, tuple[int, ...]]:
        """What everybody keeps an eye on, by seat: the curves under the board, the first the
        one that matters most."""
        ...

    def figures(self, seats: int, played: Iterable[Played]) -> tuple[Figures, ...]:
        """What each seat did in these moves, for the pages of numbers. A roll of the die is
        the sum `die:` with its face."""
        ...


def see(rules: Ruleset[S], state: S, viewer: int | None) -> Observation:
    """What this viewer may know, as far as every game says it; the conformance suite holds
    `observe` to it."""
    return cast(Observation, rules.observe(state, viewer))


def play(rules: Ruleset[S], state: S, seat: int, action: str, source: Source) -> tuple[S, Facts]:
    """One row of a record: a decision (or a leaver) and the chance that follows from it."""
    if action in LEAVING:
        state, facts = rules.leave(state, seat)
    else:
        state, facts = rules.decide(state, seat, action)
    while isinstance(node := rules.pending(state), Chance):
        state, outcome = rules.land(state, source.draw(node.event, node.faces))
        facts = {**facts, **outcome} if facts else outcome
    return state, facts


def must_decide(pending: Pending, seat: int) -> Decide:
    """The decision this seat owes, or the error that says who owes one."""
    if isinstance(pending, Decide):
        if pending.seat == seat:
            return pending
        raise NotYourDecision(f"seat {seat} is not to act: seat {pending.seat} is ({pending.kind})")
    raise NotYourDecision(f"seat {seat} is not to act: nobody is")


def must_seat(name: str, counts: Sequence[int], seats: int) -> None:
    """The game is for so many players, or the error that says for how many it is."""
    # `is` on the type, because 2 == 2.0.
    if type(seats) is not int or seats not in counts:
        *fewer, most = map(str, counts)
        raise BadOptions(f"{name} is for {', '.join(fewer)} or {most} players, not {seats!r}")


def must_be_in(seat: int, seats: int, gone: Sequence[int], *, over: bool) -> None:
    """This seat may still leave, or the error that says why not."""
    if over:
        raise IllegalAction(f"seat {seat} cannot leave: the game is over")
    if seat not in range(seats):
        raise NotYourDecision(f"there is no seat {seat!r} at this table")
    if seat in gone:
        raise IllegalAction(f"seat {seat} is out already")
