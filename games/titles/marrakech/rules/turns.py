"""The parts of a turn, each from one state to the next. Legality is checked before.

The three parts that make up every turn build their state field by field instead of
with `_replace`, which takes twice as long.
"""

from __future__ import annotations

from typing import Any

from games.engine.errors import IllegalAction
from games.engine.interface import Facts

from .geometry import HEADINGS, LANE, POSE_NAMES, TOUCHING, WALKS, Spot, turned
from .position import due, next_rug
from .state import FACE, FALL, LAY, OVER, ROLL, TURN, Setup, State


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


def turn_and_roll(state: State, quarters: int) -> tuple[State, Facts]:
    assam = turned(state.assam, quarters)
    rolling = State(
        state.setup,
        FALL,
        state.mover,
        assam,
        state.roll,
        state.dirhams,
        state.rugs,
        state.shown,
        state.whole,
        state.laid,
        state.gone,
    )
    return rolling, {}


def face_away(state: State, quarters: int) -> tuple[State, Facts]:
    assam = turned(state.assam, quarters)
    phase, mover = _next(state.setup, state.mover, state.rugs, state.gone)
    return state._replace(phase=phase, mover=mover, assam=assam), {"facing": HEADINGS[assam % 4]}


def walk_and_pay(state: State, face: int) -> tuple[State, Facts]:
    end, path = WALKS[state.assam][face]
    facts: dict[str, Any] = {"die": face, "assam": POSE_NAMES[end], "path": path}
    dirhams = state.dirhams
    owed = due(state, end // 4)
    solvent = True
    if owed:
        mover = state.mover
        owner, price = owed
        amount = min(price, dirhams[mover])
        solvent = amount == price
        purses = list(dirhams)
        purses[mover] -= amount
        purses[owner] += amount
        dirhams = tuple(purses)
        facts["paid"] = {"to": owner, "due": price, "amount": amount}
    arrived = State(
        state.setup,
        LAY,
        state.mover,
        end,
        state.roll + 1,
        dirhams,
        state.rugs,
        state.shown,
        state.whole,
        state.laid,
        state.gone,
    )
    if solvent or not state.setup.insolvent_out:
        return arrived, facts
    facts["out"] = [state.mover]
    return without(arrived, state.mover), facts


def lay(state: State, spot: Spot) -> tuple[State, Facts]:
    mover = state.mover
    rug = next_rug(state, mover)
    left = state.rugs[mover] - 1
    if left and state.setup.piles and state.setup.rugs - left == len(state.setup.piles[mover]):
        raise IllegalAction(f"{spot.action}: the pile of seat {mover} is not known any further")
    rugs = _with(state.rugs, mover, left)
    if state.setup.turn_after and any(rugs):
        phase = FACE
    else:
        phase, mover = _next(state.setup, mover, rugs, state.gone)
    covered = State(
        state.setup,
        phase,
        mover,
        state.assam,
        state.roll,
        state.dirhams,
        rugs,
        state.shown & spot.bare | spot.cover << LANE * rug,
        state.whole & ~TOUCHING[spot.bit] | spot.bit,
        (*state.laid, (spot.bit, rug)),
        state.gone,
    )
    return covered, {}


def without(state: State, seat: int) -> State:
    """The seat is out: its purse and its rugs in hand are gone, its rugs on the board neutral."""
    rugs = _with(state.rugs, seat, 0)
    gone = (*state.gone, seat)
    phase, mover = _next(state.setup, state.mover, rugs, gone)
    if phase != OVER and seat != state.mover:
        phase, mover = state.phase, state.mover
    return state._replace(
        phase=phase,
        mover=mover,
        dirhams=_with(state.dirhams, seat, 0),
        rugs=rugs,
        gone=gone,
    )


def _next(
    setup: Setup, mover: int, rugs: tuple[int, ...], gone: tuple[int, ...]
) -> tuple[str, int]:
    """What comes when the mover's turn is over: the turn of the next seat still in, or the end.

    Seats lay in turn, so while any rug is left the next seat has one.
    """
    seats = len(rugs)
    if not any(rugs) or len(gone) == seats - 1:
        return OVER, mover
    seat = (mover + 1) % seats
    while seat in gone:
        seat = (seat + 1) % seats
    return (ROLL if setup.turn_after else TURN), seat
