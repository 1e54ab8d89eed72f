"""What may be seen of a game of Ifrito: everything, by everybody."""

from __future__ import annotations

from typing import Any

from games.engine.interface import Decide, Facts, Over

from .geometry import BIT, CELLS, NEEDS, names
from .position import entry_refusal, flight_refusal, legal_actions
from .state import HAND, State


def observe(
    state: State,
    viewer: int | None,
    pending: Decide | Over,
    colours: tuple[tuple[str, ...], ...],
) -> Facts:
    """Ready for JSON:

    - `game`, `seats`, `viewer`, `options`
    - `pending`: `{"type": "decide", "seat", "kind": "turn" | "pick"}` or
      `{"type": "over", "reason", "ranking", "tallies"}`
    - `turn`: the seat whose turn it is; while a pick is owed, the attacker's
    - `pick`: the carpet that a genie must be picked from, or None
    - `quiet`: turns in a row without an entry or a capture
    - `cells`: name → `{"genie": bool, "carpet": id | None}`
    - `carpets`: `{"id", "seat", "cell": name | None, "cushions": [name, …]}`; None is in hand.
      A leaver's carpets are not listed.
    - `players`: `{"seat", "colours", "hand", "prison", "captured", "aboard", "in"}`
    - `legal`: what the seat to act may do
    - `refused`: on a turn, for the hand (`"carpet": None`) and each carpet on the board of the
      seat to act, the cells where it cannot go, with a code of `position.WHY_NOT`: for the hand
      any cell, for a carpet the neighbours on both planes
    """
    lying = {place: carpet for carpet, place in enumerate(state.places) if place >= 0}
    return {
        "game": "ifrito",
        "seats": state.seats,
        "viewer": viewer,
        "options": {},
        "pending": pending.seen(),
        "turn": state.turn,
        "pick": state.pick[1] if state.pick else None,
        "quiet": state.quiet,
        "cells": {
            name: {"genie": bool(state.genies & BIT[cell]), "carpet": lying.get(cell)}
            for cell, name in enumerate(CELLS)
        },
        "carpets": [
            {
                "id": carpet,
                "seat": state.owner(carpet),
                "cell": CELLS[place] if place >= 0 else None,
                "cushions": names(state.seated[carpet]),
            }
            for carpet, place in enumerate(state.places)
            if place >= HAND
        ],
        "players": [
            {
                "seat": seat,
                "colours": list(colours[seat]),
                "hand": state.hand(seat),
                "prison": state.prison[seat],
                "captured": state.captured[seat],
                "aboard": state.aboard(seat),
                "in": seat not in state.left,
            }
            for seat in range(state.seats)
        ],
        "legal": list(legal_actions(state)),
        "refused": _refused(state),
    }


def _refused(state: State) -> list[dict[str, Any]]:
    if state.ended or state.pick:
        return []
    refused: list[dict[str, Any]] = []
    if state.hand(state.turn):
        why = {name: entry_refusal(state, cell) for cell, name in enumerate(CELLS)}
        refused.append({"carpet": None, "cells": {c: code for c, code in why.items() if code}})
    for carpet in state.carpets(state.turn):
        place = state.places[carpet]
        if place >= 0:
            why = {CELLS[cell]: flight_refusal(state, carpet, cell) for cell in NEEDS[place]}
            refused.append({"carpet": carpet, "cells": {c: w for c, w in why.items() if w}})
    return refused
