"""Marrakech, told: the die falls, Assam walks, a field is paid for, a rug unrolls."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.interface import Facts
from games.titles.telling import Beat, Piece

from .board.drawing import lying, standing, trail
from .board.grid import HEADINGS, Square, corner
from .board.mosaics import SIDE
from .words import WORDS

ASSAM = "assam"


class MarrakechTeller:
    def pieces(self, seen: Facts) -> Iterator[Piece]:
        for rug in seen["rugs"]:
            faded = ("rug-faded",) if rug["neutral"] else ()
            woven = (f"rug-{rug['colour']}", *faded)
            yield Piece(f"r{rug['id']}", "rugs", lying(rug["squares"]), woven)
        assam = seen["assam"]
        at = standing(Square.named(assam["square"]), HEADINGS[assam["facing"]])
        yield Piece(ASSAM, "assam", at, (ASSAM,))

    def labels(self, seen: Facts) -> dict[str, list[str | int]]:
        return {"left": [WORDS.rugs_left(player) for player in seen["players"]]}

    def finale(self, seen: Facts, seat: int) -> list[Beat]:
        squares = sorted(
            name
            for rug in seen["rugs"]
            if rug["seat"] == seat and not rug["neutral"]
            for name in rug["visible"]
        )
        return [{"do": "light", "at": [_corner(name) for name in squares]}] if squares else []

    def beats(self, move: Facts, before: Facts, after: Facts) -> list[Beat]:
        told: list[Beat] = []
        if "die" in move:
            told.append({"do": "die", "use": f"die-{move['die']}"})
            told.append({"do": "walk", "piece": ASSAM, "path": trail(move)})
        if paid := move.get("paid"):
            squares = _charged(before, move["assam"].split()[0])
            told.append({"do": "light", "at": [_corner(name) for name in squares]})
            told.append({"do": "pass", "from": move["seat"], "to": paid["to"], "n": paid["amount"]})
        if move["action"].startswith("lay:"):
            told.append({"do": "unroll", "piece": f"r{after['rugs'][-1]['id']}"})
        return told


def _charged(seen: Facts, name: str) -> list[str]:
    """The squares of one colour around this one, from it outwards."""
    colours = {square: rug["colour"] for rug in seen["rugs"] for square in rug["visible"]}
    found = [name]
    for at in found:
        found += [
            other
            for other, colour in colours.items()
            if colour == colours.get(name)
            and other not in found
            and Square.named(other).touches(Square.named(at))
        ]
    return found


def _corner(name: str) -> list[int]:
    at = corner(Square.named(name), SIDE)
    return [int(at.x), int(at.y)]


TELLER = MarrakechTeller()
