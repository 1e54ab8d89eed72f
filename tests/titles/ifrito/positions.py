"""Positions of Ifrito set up by hand, and the few verbs that the tests speak."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.interface import Decide, Over
from games.titles.ifrito.rules import IFRITO
from games.titles.ifrito.rules.geometry import BIT, CELL, CELLS, CUSHION, EDGE_CELLS, names
from games.titles.ifrito.rules.state import State, opening

EVERYWHERE = " ".join(CELLS)
EDGES = " ".join(CELLS[cell] for cell in EDGE_CELLS)


def position(*carpets: Mapping[str, str], genies: str = "", **more: Any) -> State:
    """Per seat the cells of its carpets with the seated cushions; the other carpets are in hand."""
    start = opening(len(carpets))
    places, seated = list(start.places), list(start.seated)
    for seat, lying in enumerate(carpets):
        own = start.carpets(seat)
        assert len(lying) <= len(own)
        for carpet, (cell, cushions) in zip(own, lying.items(), strict=False):
            places[carpet] = CELL[cell]
            seated[carpet] = sum(CUSHION[name] for name in cushions.split())
    mask = sum(BIT[CELL[cell]] for cell in genies.split())
    return start._replace(places=tuple(places), seated=tuple(seated), genies=mask, **more)


def act(state: State, *actions: str) -> State:
    """Play on: each action by whoever is to act."""
    for action in actions:
        decision = IFRITO.pending(state)
        assert isinstance(decision, Decide), f"nobody is to play {action}"
        state, _ = IFRITO.decide(state, decision.seat, action)
    return state


def legal(state: State, start: str = "") -> set[str]:
    return {action for action in IFRITO.legal(state) if action.startswith(start)}


def over(state: State) -> Over:
    pending = IFRITO.pending(state)
    assert isinstance(pending, Over)
    return pending


def cushions(state: State, cell: str) -> set[str]:
    """The seated cushions of the carpet on a cell."""
    return set(names(state.seated[state.places.index(CELL[cell])]))


def has_genie(state: State, cell: str) -> bool:
    return bool(state.genies & BIT[CELL[cell]])


ABOUT_TO_WIN = position(
    {"Ua1": "N", "Uc3": "E S", "Le5": "S"},
    {"Ua2": "N", "Ue5": "S", "Le1": "N"},
    captured=(2, 0),
)
"""The first player captures a third carpet with the next move."""
