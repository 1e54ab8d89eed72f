"""Positions of Marrakech set up by hand, and the few verbs that the tests speak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.chance import RecordedSource
from games.engine.interface import Decide, Facts, Over, play
from games.titles.marrakech.rules import MARRAKECH
from games.titles.marrakech.rules.geometry import (
    HEADINGS,
    LANE,
    NUMBERS,
    SPOT_BY_ACTION,
    TOUCHING,
    pose,
)
from games.titles.marrakech.rules.state import State

PILES = (("red", "amber") * 12, ("blue", "green") * 12)
ALL_OPTIONS: tuple[dict[str, Any], ...] = tuple(
    {"insolvency": insolvency, "turning": turning, "cover_own": cover_own}
    for insolvency in ("out", "play_on")
    for turning in ("before", "after")
    for cover_own in (False, True)
)


def facing(text: str) -> int:
    square, heading = text.split()
    return pose(NUMBERS[square], HEADINGS.index(heading))


def position(
    assam: str = "d4 south",
    rugs: Sequence[str] = (),
    seats: int = 4,
    options: dict[str, Any] | None = None,
    rugs_in_hand: tuple[int, ...] | None = None,
    **more: Any,
) -> State:
    """A state with Assam here and these rugs ("red a1a2") laid one after the other."""
    state = MARRAKECH.start(seats, options or {}, PILES if seats == 2 else ())
    shown, whole, laid = 0, 0, []
    for rug in rugs:
        colour, squares = rug.split()
        field = state.setup.palette.index(colour)
        spot = SPOT_BY_ACTION[f"lay:{squares}"]
        shown = shown & spot.bare | spot.cover << LANE * field
        whole = whole & ~TOUCHING[spot.bit] | spot.bit
        laid.append((spot.bit, field))
    return state._replace(
        assam=facing(assam),
        rugs=rugs_in_hand or state.rugs,
        shown=shown,
        whole=whole,
        laid=tuple(laid),
        **more,
    )


def act(state: State, action: str, die: int | None = None) -> tuple[State, Facts]:
    """The action by whoever is to act, and the die that falls if one does."""
    decision = MARRAKECH.pending(state)
    assert isinstance(decision, Decide), f"nobody is to play {action}"
    return play(MARRAKECH, state, decision.seat, action, RecordedSource(die))


def turns(state: State, *actions: str) -> State:
    """Play on: each roll is a 1."""
    for action in actions:
        state, _ = act(state, action, die=1)
    return state


def over(state: State) -> Over:
    pending = MARRAKECH.pending(state)
    assert isinstance(pending, Over), f"not over: {pending}"
    return pending
