"""The rules of Marrakech: what may be done, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from games.engine.chance import first_roll
from games.engine.errors import BadOptions, IllegalAction
from games.engine.interface import (
    Chance,
    Decide,
    Facts,
    Figures,
    Options,
    Pending,
    Pile,
    Played,
    must_be_in,
    must_decide,
    must_seat,
)

from .actions import read
from .figures import counts, figures
from .geometry import DIE, NAMES, QUARTERS, REACH, REACH_BITS, SPOT_BY_ACTION, START
from .observation import observe
from .position import barred_spots, outcome
from .state import COLOURS, FACE, FALL, LAY, OVER, PURSE, ROLL, TURN, State, decks, set_up
from .turns import face_away, lay, turn_and_roll, walk_and_pay, without

CHOICES: Mapping[str, tuple[object, ...]] = {
    "insolvency": ("out", "play_on"),
    "turning": ("before", "after"),
    "cover_own": (False, True),
}
CHOICE_OF_TURN = ("turn:L", "turn:R", "turn:S")
QUARTER_TURN = ("turn:L", "turn:R")
THE_ROLL = ("roll",)
DECISIONS = {
    kind: tuple(Decide(seat, kind) for seat in range(max(COLOURS)))
    for kind in (TURN, ROLL, LAY, FACE)
}


def _edition(insolvency: str, turning: str) -> Options:
    return {"insolvency": insolvency, "turning": turning, "cover_own": False}


@cache
def _roll(event: int) -> Chance:
    return Chance(event, DIE)


@cache
def _lays(square: int, barred: int) -> tuple[str, ...]:
    """Remembered, because whole rugs beside one square lie in few different ways."""
    return tuple(spot.action for spot in REACH[square] if not spot.bit & barred)


def _objection(state: State, action: str, legal: tuple[str, ...]) -> str:
    """Why an action of the game cannot be done in this position."""
    spot = SPOT_BY_ACTION.get(action)
    if state.phase != LAY or spot is None:
        return f"not now, expected {', '.join(legal)}"
    square = state.assam // 4
    if not spot.bit & REACH_BITS[square]:
        return (
            f"Assam is on {NAMES[square]}, expected two squares of which one is beside him "
            "and neither is under him"
        )
    return "one rug lies on both squares, expected at most a half of it"


class Marrakech:
    """The ruleset; its states are `State`, its kinds of decision turn, roll, lay and face."""

    key = "marrakech"
    seat_counts: tuple[int, ...] = tuple(COLOURS)
    presets: Mapping[str, Options] = {
        "international": _edition("out", "before"),
        "international-after": _edition("out", "after"),
        "polish": _edition("play_on", "before"),
        "polish-after": _edition("play_on", "after"),
        "polish-advanced": _edition("out", "before"),
        "polish-advanced-after": _edition("out", "after"),
        "russian": _edition("play_on", "before"),
        "romanian": _edition("play_on", "before"),
    }
    recorded: tuple[str, ...] = ("die", "assam", "paid", "out")
    die: tuple[int, ...] = DIE

    def options(self, given: Options) -> Options:
        for name, value in given.items():
            if name not in CHOICES:
                raise BadOptions(f"unknown option {name!r}, expected one of {', '.join(CHOICES)}")
            # `is` on the type, because 1 == True.
            if not any(type(value) is type(each) and value == each for each in CHOICES[name]):
                expected = " or ".join(repr(each) for each in CHOICES[name])
                raise BadOptions(f"option {name} is {value!r}, expected {expected}")
        return {**self.presets["international"], **given}

    def colours(self, seats: int) -> tuple[tuple[str, ...], ...]:
        self._check_seats(seats)
        return COLOURS[seats]

    def decks(self, seats: int, options: Options) -> tuple[Pile, ...]:
        self._check_seats(seats)
        return decks(seats)

    def start(self, seats: int, options: Options, piles: tuple[Pile, ...]) -> State:
        self._check_seats(seats)
        settled = set_up(seats, self.options(options), piles)
        return State(
            setup=settled,
            phase=ROLL if settled.turn_after else TURN,
            mover=0,
            assam=START,
            roll=first_roll(len(settled.piles)),
            dirhams=(PURSE,) * seats,
            rugs=(settled.rugs,) * seats,
            shown=0,
            whole=0,
            laid=(),
            gone=(),
        )

    def revealed(self, state: State) -> tuple[Pile, ...]:
        rugs = state.setup.rugs
        return tuple(
            pile[: rugs - left + 1]
            for pile, left in zip(state.setup.piles, state.rugs, strict=False)
        )

    def pending(self, state: State) -> Pending:
        if decisions := DECISIONS.get(state.phase):
            return decisions[state.mover]
        if state.phase == FALL:
            return _roll(state.roll)
        return outcome(state)

    def legal(self, state: State) -> tuple[str, ...]:
        phase = state.phase
        if phase == LAY:
            square = state.assam // 4
            return _lays(square, barred_spots(state) & REACH_BITS[square])
        if phase == TURN:
            return CHOICE_OF_TURN
        if phase == ROLL:
            return THE_ROLL
        return QUARTER_TURN if phase == FACE else ()

    def decide(self, state: State, seat: int, action: str) -> tuple[State, Facts]:
        phase = state.phase
        read(action)
        if seat != state.mover or phase not in DECISIONS:
            must_decide(self.pending(state), seat)
        legal = self.legal(state)
        if action not in legal:
            raise IllegalAction(f"{action}: {_objection(state, action, legal)}")
        if phase == LAY:
            return lay(state, SPOT_BY_ACTION[action])
        if phase == FACE:
            return face_away(state, QUARTERS[action])
        return turn_and_roll(state, QUARTERS[action])

    def land(self, state: State, face: int) -> tuple[State, Facts]:
        if state.phase != FALL:
            raise IllegalAction("the die does not fall now")
        if face not in DIE:
            raise IllegalAction(f"the die has no face {face!r}, expected 1, 2, 3 or 4")
        return walk_and_pay(state, face)

    def leave(self, state: State, seat: int) -> tuple[State, Facts]:
        must_be_in(seat, state.setup.seats, state.gone, over=state.phase == OVER)
        return without(state, seat), {"out": [seat]}

    def observe(self, state: State, viewer: int | None) -> Facts:
        return observe(state, viewer, self.pending(state), self.legal(state))

    def counts(self, state: State) -> Mapping[str, tuple[int, ...]]:
        return counts(state)

    def figures(self, seats: int, played: Iterable[Played]) -> tuple[Figures, ...]:
        return figures(seats, played)

    def _check_seats(self, seats: int) -> None:
        must_seat("Marrakech", self.seat_counts, seats)


MARRAKECH = Marrakech()
