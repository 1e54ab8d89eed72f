"""What may be done in a position of Ifrito and what not, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from .geometry import (
    ALL_CUSHIONS,
    BIT,
    CELLS,
    CUSHION,
    CUSHIONS,
    EDGE,
    EDGE_CELLS,
    NEEDS,
    names,
    reach,
)
from .state import State

Refusal = Literal[
    "not_edge",
    "occupied",
    "no_genie",
    "too_far",
    "no_genies_aboard",
    "own_carpet",
    "no_genie_for_plane",
    "no_genie_for_direction",
    "no_empty_cushion",
    "empty_carpet",
    "carpets_in_hand",
    "fewer_genies",
]

WHY_NOT: dict[Refusal, str] = {
    "not_edge": "carpets enter on edge cells only",
    "occupied": "a carpet lies on that cell",
    "no_genie": "that cell has no genie while another free edge cell has one",
    "too_far": "that cell is not a neighbour",
    "no_genies_aboard": "a carpet without genies cannot move",
    "own_carpet": "an own carpet lies on that cell",
    "no_genie_for_plane": "changing the plane needs a genie on C",
    "no_genie_for_direction": "no genie sits on the cushion of that direction",
    "no_empty_cushion": "the genie there has no empty cushion to board on",
    "empty_carpet": "a carpet without genies cannot be captured",
    "carpets_in_hand": "capturing needs all own carpets on the board",
    "fewer_genies": "the attacked carpet has more genies",
}


def entry_cells(state: State) -> list[int]:
    """The edge cells with a genie; once there is none, every free edge cell."""
    with_genie = EDGE & state.genies
    if with_genie:
        return [cell for cell in EDGE_CELLS if with_genie & BIT[cell]]
    return [cell for cell in EDGE_CELLS if cell not in state.places]


def entry_refusal(state: State, cell: int) -> Refusal | None:
    if not EDGE & BIT[cell]:
        return "not_edge"
    if cell in state.places:
        return "occupied"
    return None if cell in entry_cells(state) else "no_genie"


def landing_refusal(state: State, carpet: int, target: int) -> Refusal | None:
    """Why a carpet whose genies point to a cell cannot land on it."""
    aboard = state.seated[carpet]
    if state.genies & BIT[target]:
        return "no_empty_cushion" if aboard == ALL_CUSHIONS else None
    if target not in state.places:
        return None
    attacked, attacker = state.places.index(target), state.owner(carpet)
    if state.owner(attacked) == attacker:
        return "own_carpet"
    if not state.seated[attacked]:
        return "empty_carpet"
    if state.hand(attacker):
        return "carpets_in_hand"
    if aboard.bit_count() < state.seated[attacked].bit_count():
        return "fewer_genies"
    return None


def flight_refusal(state: State, carpet: int, target: int) -> Refusal | None:
    """Why a carpet on the board cannot move to a cell or capture what lies there."""
    aboard, needed = state.seated[carpet], NEEDS[state.places[carpet]].get(target)
    if needed is None:
        return "too_far"
    if not aboard:
        return "no_genies_aboard"
    if missing := needed & ~aboard:
        return "no_genie_for_plane" if missing & CUSHION["C"] else "no_genie_for_direction"
    return landing_refusal(state, carpet, target)


def targets(state: State, carpet: int) -> Iterator[int]:
    """The cells that a carpet can move to or capture on."""
    place = state.places[carpet]
    if place >= 0:
        for target in reach(place, state.seated[carpet]):
            if landing_refusal(state, carpet, target) is None:
                yield target


def can_act(state: State, seat: int) -> bool:
    """Whether a seat could do anything but pass; there is always a free edge cell to enter on."""
    return state.hand(seat) > 0 or any(
        True for carpet in state.carpets(seat) for _ in targets(state, carpet)
    )


_ENTRIES = tuple(tuple(f"enter:{cell}@{cushion}" for cushion in CUSHIONS) for cell in CELLS)
_FLIGHTS = tuple({t: f"{CELLS[cell]}-{CELLS[t]}" for t in NEEDS[cell]} for cell in range(50))
_BOARDING = tuple([f"@{name}" for name in names(ALL_CUSHIONS & ~mask)] for mask in range(512))
_LEAVING = tuple(["", *(f"!{name}" for name in names(mask))] for mask in range(512))


def legal_actions(state: State) -> tuple[str, ...]:
    """All that the seat to act may do, in notation, sorted."""
    if state.ended:
        return ()
    if state.pick:
        return tuple(f"pick:{name}" for name in names(state.seated[state.pick[1]]))
    actions: list[str] = []
    if state.hand(state.turn):
        if state.genies & EDGE:
            for cell in entry_cells(state):
                actions += _ENTRIES[cell]
        else:
            actions += [f"enter:{CELLS[cell]}" for cell in entry_cells(state)]
    for carpet in state.carpets(state.turn):
        aboard = state.seated[carpet]
        for target in targets(state, carpet):
            flight = _FLIGHTS[state.places[carpet]][target]
            if target in state.places:
                actions.append(f"capture:{flight}")
            else:
                choices = (_BOARDING if state.genies & BIT[target] else _LEAVING)[aboard]
                actions += [f"move:{flight}{choice}" for choice in choices]
    return tuple(sorted(actions)) or ("pass",)
