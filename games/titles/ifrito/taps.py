"""All that can be tapped in a position, for a page that shows what a tap means without asking.

`board.choice` is what it means; the script of the game keeps to it, with the words from here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from games.engine.interface import Facts

from .board.choice import HAND, KEYS, Choice, choose
from .board.drawing import Cell, cell_with_carpet, colour_of
from .cushions import CUSHIONS
from .words import WORDS


def taps(seen: Facts, names: Sequence[str]) -> dict[str, Any] | None:
    """Ready for JSON; None where nothing can be tapped."""
    first = choose(seen, "")
    if first.step == "pass":
        return None
    told: dict[str, Any] = {
        "colour": colour_of(seen, first.owner if first.step == "pick" else seen["pending"]["seat"]),
        "keys": KEYS,
        "cushions": {name: _forms(name) for name in KEYS},
        "undo": _("Undo"),
        "group": _("Cushions"),
    }
    if first.step == "pick":
        asked = WORDS.question(first, names)
        return told | {
            "legal": list(seen["legal"]),
            "pick": {"ask": [asked.heading, asked.note, asked.button], "on": list(first.cushions)},
        }
    ends = _ends(seen["legal"])
    return told | {
        "sources": {source: _source(choose(seen, source), ends, names) for source in first.sources},
        "own": {
            source: WORDS.cell(_own_cell(seen, source), names)
            for source in first.sources
            if source != HAND
        },
        "can_go": [source for source, goes in first.sources.items() if goes],
        "given": first.source if first.given else "",
        "why": {
            why: WORDS.why(why) for refused in seen["refused"] for why in refused["cells"].values()
        },
        "texts": _texts(),
    }


def _ends(legal: Sequence[str]) -> dict[str, list[str]]:
    """What may follow the tap of a way, to make it an action: a cushion, or nothing at all."""
    ends: dict[str, list[str]] = {}
    for action in legal:
        tap = re.split("[@!]", action)[0]
        ends.setdefault(tap, []).append(action.removeprefix(tap))
    return ends


def _source(
    choice: Choice, ends: Mapping[str, Sequence[str]], names: Sequence[str]
) -> dict[str, Any]:
    return {
        "ask": WORDS.question(choice, names).heading,
        "on": list(choice.cushions),
        "ways": {
            cell: [
                way.tap,
                way.kind,
                WORDS.cell(Cell(cell, "", "", False, None, sign=way.kind, way=way), names),
                f"{way.mine} : {way.theirs}" if way.theirs else "",
                way.why,
                ends.get(way.tap, []),
            ]
            for cell, way in choice.ways.items()
        },
        "captures": {
            cell: _asked(choice, cell, names)
            for cell, way in choice.ways.items()
            if way.kind == "capture"
        },
    }


def _asked(choice: Choice, cell: str, names: Sequence[str]) -> list[str]:
    way = choice.ways[cell]
    asked = WORDS.question(replace(choice, step="confirm", target=cell, action=way.tap), names)
    return [asked.heading, asked.note, asked.button]


def _own_cell(seen: Facts, name: str) -> Cell:
    carpet = next(each for each in seen["carpets"] if each["cell"] == name)
    return cell_with_carpet(seen, carpet)


def _forms(name: str) -> dict[str, str]:
    cushion = CUSHIONS[name]
    return {
        "name": str(cushion.name),
        "on": str(cushion.on),
        "onto": str(cushion.onto),
        "off": str(cushion.off),
    }


def _texts() -> dict[str, str]:
    """With the names of places left open, for the script to fill in."""
    goal = {"goal": "{goal}", "on": "{on}", "onto": "{onto}", "off": "{off}", "source": "{source}"}
    return {
        "which": _("Your turn: which carpet?"),
        "tap": _("Tap one of your carpets to see where it can go."),
        "cushion": _("On which cushion does the genie of %(goal)s sit?") % goal,
        "enter": _("Enter on %(goal)s without a genie?") % goal,
        "enter@": _("Enter on %(goal)s with the genie %(on)s?") % goal,
        "move": _("Fly to %(goal)s?") % goal,
        "move@": _("Fly to %(goal)s and take the genie %(onto)s?") % goal,
        "move!": _("Fly to %(goal)s and leave the genie %(off)s behind?") % goal,
        "stay": _("A genie can stay behind on %(source)s: tap it.") % goal,
        "does enter": _("Enter"),
        "does move": _("Fly"),
    }
