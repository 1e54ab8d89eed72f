"""Ifrito, told: carpets enter and fly, genies get on and off, captured ones go up in smoke."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate
from typing import Any

from games.engine.interface import Facts
from games.titles.telling import Beat, Piece

from .board.drawing import HEIGHT, WIDTH, colour_of, corner_of, cushion_spots, middle_of
from .words import WORDS

SEATED = 0.43
"""How large a genie is drawn on its cushion, beside one that stands on a cell."""


class IfritoTeller:
    def pieces(self, seen: Facts) -> Iterator[Piece]:
        for name, cell in seen["cells"].items():
            if cell["genie"]:
                at = middle_of(name)
                place = f"translate({at.x} {at.y})"
                yield Piece(f"g{name}", f"{name[0]}-genies", place, ("genie",))
        for carpet in seen["carpets"]:
            if carpet["cell"]:
                yield _carpet(seen, carpet, carpet["cell"], carpet["cushions"])

    def labels(self, seen: Facts) -> dict[str, list[str | int]]:
        return {"holds": [WORDS.holds(player) for player in seen["players"]]}

    def finale(self, seen: Facts, seat: int) -> list[Beat]:
        """The genies on the own carpets, then the prison and the captured carpets."""
        player = seen["players"][seat]
        carpets = [c for c in seen["carpets"] if c["seat"] == seat and c["cell"] and c["cushions"]]
        told: list[Beat] = []
        if carpets:
            told.append(
                {
                    "do": "light",
                    "at": [_corner(carpet["cell"]) for carpet in carpets],
                    "size": [WIDTH, HEIGHT],
                    "counts": [*accumulate(len(carpet["cushions"]) for carpet in carpets)],
                }
            )
        slots = [slot for slot in ("prison", "captured") if player[slot]]
        return told + [{"do": "fill", "seat": seat, "slot": slot} for slot in slots]

    def beats(self, move: Facts, before: Facts, after: Facts) -> list[Beat]:
        if "entered" in move:
            return [*_entry(move, after)]
        if "moved" in move:
            return [*_flight(move, before, after)]
        if "taken" in move:
            return [*_loss(move["taken"], after)]
        return []


def _entry(move: Facts, after: Facts) -> Iterator[Beat]:
    """The carpet unrolls, and then the genie that waited there sits down on it."""
    key, cell, boards = move["entered"]["carpet"], move["entered"]["cell"], move["boarded"]
    carpet = _lying(after, key)
    empty = {"as": _carpet(after, carpet, cell, ()).as_list()} if boards else {}
    yield {"do": "unroll", "piece": f"c{key}", **empty}
    if boards:
        yield _boarding(cell, boards)


def _flight(move: Facts, before: Facts, after: Facts) -> Iterator[Beat]:
    moved, boards, left = move["moved"], move.get("boarded"), move.get("left")
    key, start, end = moved["carpet"], moved["from"], moved["to"]
    carpet = _lying(after, key)
    cushions = [name for name in carpet["cushions"] if name != boards]
    if left:
        at = _seat(start, left)
        yield {
            **_hop(start[0], at, _middle(start), (SEATED, 1)),
            "as": _carpet(after, carpet, start, cushions).as_list(),
        }
    lighter = {"as": _carpet(after, carpet, end, cushions).as_list()} if boards else {}
    yield {"do": "fly", "piece": f"c{key}", **lighter}
    if boards:
        yield _boarding(end, boards)
    if captured := move.get("captured"):
        yield {**_puff(end[0], _middle(end)), "take": f"c{captured['carpet']}"}
        prison = {"to": move["seat"], "n": captured["genies"]}
        yield {"do": "pass", "use": "genie", "at": [*_middle(end), end[0]], **prison}


def _loss(taken: Facts, after: Facts) -> Iterator[Beat]:
    """A genie goes up in smoke from its cushion."""
    carpet = _lying(after, taken["carpet"])
    cell = carpet["cell"]
    lighter = _carpet(after, carpet, cell, carpet["cushions"]).as_list()
    yield {**_puff(cell[0], _seat(cell, taken["cushion"])), "as": lighter}


def _boarding(cell: str, cushion: str) -> Beat:
    hop = _hop(cell[0], _middle(cell), _seat(cell, cushion), (1, SEATED))
    return {**hop, "take": f"g{cell}"}


def _hop(layer: str, start: list[float], end: list[float], grows: tuple[float, float]) -> Beat:
    way = {"from": start, "to": end, "grows": grows}
    return {"do": "hop", "use": "genie", "layer": layer, **way}


def _puff(layer: str, at: list[float]) -> Beat:
    return {"do": "puff", "layer": layer, "at": at}


def _lying(seen: Facts, key: int) -> Facts:
    carpet: Facts = next(each for each in seen["carpets"] if each["id"] == key)
    return carpet


def _carpet(seen: Facts, carpet: Facts, cell: str, cushions: Collection[str]) -> Piece:
    """A carpet as it lies on a cell with these genies."""
    colour, at = colour_of(seen, carpet["seat"]), corner_of(cell)
    own = ("tassels",) if carpet["seat"] == seen["viewer"] else ()
    worn = () if carpet["cushions"] else ("veil@worn", "bare@cross")
    seats = (f"seat-{colour} {at.x} {at.y}" for at in cushion_spots(cushions))
    return Piece(
        f"c{carpet['id']}",
        f"{cell[0]}-carpets",
        f"translate({at.x} {at.y})",
        (f"carpet-{colour}", *seats, *worn, *own),
    )


def _seat(cell: str, cushion: str) -> list[float]:
    """Where the genie of a cushion sits on the plane."""
    corner, spot = corner_of(cell), next(cushion_spots([cushion]))
    return [float(corner.x) + float(spot.x), float(corner.y) + float(spot.y)]


def _middle(cell: str) -> list[float]:
    at = middle_of(cell)
    return [float(at.x), float(at.y)]


def _corner(cell: str) -> list[Any]:
    at = corner_of(cell)
    return [float(at.x), float(at.y), cell[0]]


TELLER = IfritoTeller()
