"""What a player of Ifrito has tapped so far, and what can be tapped next.

The taps are one text that grows into the notation of an action:

- `hand` or `Ua1`: the carpet that goes,
- `enter:Ua1`, `move:Ua1-Ub2` or `capture:Ua1-Ub2`: where it goes,
- `enter:Ua1@N`, `move:Ua1-Ub2@SE` or `move:Ua1-Ub2!N`: the cushion, where there is one to choose,
- `pick:N`: the genie to take off.

A text that makes no sense here counts as nothing tapped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Facts = Mapping[str, Any]

HAND = "hand"

KEYS = {
    "NW": "7",
    "N": "8",
    "NE": "9",
    "W": "4",
    "C": "5",
    "E": "6",
    "SW": "1",
    "S": "2",
    "SE": "3",
}
"""The cushions as one reads them, with the keys that lie the same way on a keyboard."""

_CELL = "[LU][a-e][1-5]"
_TAPPED = re.compile(
    f"(?P<first>hand|{_CELL})"
    f"|(?:enter:(?P<entry>{_CELL})|(?:move|capture):(?P<start>{_CELL})-(?P<end>{_CELL}))"
    "(?:[@!](?P<cushion>[CENSW]{1,2}))?"
)


@dataclass(frozen=True, slots=True)
class Way:
    """Where the chosen carpet could go: `tap` chooses it.

    `kind`: `board` (a genie gets on), `free`, `capture`, or `refused` for the reason `why`.
    Where the carpet of a seat `against` lies, `mine` genies stand against `theirs`.
    """

    tap: str
    kind: str
    why: str = ""
    mine: int = 0
    theirs: int = 0
    against: int | None = None

    @property
    def is_flight(self) -> bool:
        """The carpet goes to a cell and nobody is captured there."""
        return self.kind in ("board", "free")


@dataclass(frozen=True, slots=True)
class Choice:
    """`step` says what is asked next: `source`, `target`, `cushion`, `confirm`, `pick` or `pass`.

    `sources`: hand and carpets that could be tapped, and whether they can go anywhere.
    `cushions`: where genies sit on the carpet that goes, or that one is picked from.
    `cushion_taps`: what a tap on each of its cushions chooses, for those that can be tapped.
    """

    step: str = ""
    sources: Mapping[str, bool] = field(default_factory=dict, hash=False)
    source: str = ""
    given: bool = False
    """Nothing else can go anywhere, so the source need not be tapped."""
    ways: Mapping[str, Way] = field(default_factory=dict, hash=False)
    target: str = ""
    owner: int | None = None
    cushions: Collection[str] = field(default=(), hash=False)
    cushion_taps: Mapping[str, str] = field(default_factory=dict, hash=False)
    cushion: str = ""
    action: str = ""
    picked_from: str = ""

    @property
    def way(self) -> Way | None:
        return self.ways.get(self.target)

    @property
    def refusals(self) -> dict[str, list[str]]:
        """The cells that cannot be reached, by reason."""
        found: dict[str, list[str]] = {}
        for cell, way in self.ways.items():
            if way.why:
                found.setdefault(way.why, []).append(cell)
        return found

    @property
    def kinds(self) -> set[str]:
        return {way.kind for way in self.ways.values()}

    @property
    def back(self) -> str | None:
        """What would be tapped without the last tap; None where there is nothing to take back."""
        if self.target:
            return "" if self.given else self.source
        if self.picked_from:
            return "" if self.cushion and len(self.cushion_taps) > 1 else None
        return "" if self.source and not self.given else None

    @property
    def leaves(self) -> bool:
        """A genie of the carpet stays on the cell it goes away from."""
        return "!" in self.action

    @property
    def cushions_after(self) -> list[str]:
        """Where genies would sit if this were done."""
        changed = {self.cushion} - {""}
        return sorted({*self.cushions} - changed if self.leaves else {*self.cushions} | changed)


def choose(seen: Facts, tapped: str) -> Choice:
    """What these taps mean in a position in which the viewer is to act."""
    legal: Sequence[str] = seen["legal"]
    if seen["pending"]["kind"] == "pick":
        return _pick(seen, legal, tapped)
    if not any(":" in action for action in legal):
        return Choice(step="pass", action=legal[0])
    ends = _ends(legal)
    places = {_source_name(seen, refused): refused["cells"] for refused in seen["refused"]}
    sources = {place: place in ends for place in places}
    read = _TAPPED.fullmatch(tapped)
    source, target, cushion = _parts(read) if read else ("", "", "")
    if source not in sources:
        source, target, cushion = "", "", ""
    if not source and len(ends) == 1:
        (source,) = ends
    if not source:
        return Choice(step="source", sources=sources)
    carpet = _carpet(seen, source)
    ways = _ways(seen, source, carpet, ends.get(source, {}), places[source])
    chosen = Choice(
        step="target",
        sources=sources,
        source=source,
        given=set(ends) == {source},
        ways=ways,
        owner=seen["pending"]["seat"],
        cushions=carpet["cushions"] if carpet else (),
    )
    if target not in ways:
        return chosen
    return _aim(chosen, ends.get(source, {}).get(target, []), target, cushion)


def _pick(seen: Facts, legal: Sequence[str], tapped: str) -> Choice:
    carpet = next(c for c in seen["carpets"] if c["id"] == seen["pick"])
    action = tapped if tapped in legal else legal[0] if len(legal) == 1 else ""
    return Choice(
        step="pick",
        owner=carpet["seat"],
        cushions=carpet["cushions"],
        cushion_taps={action.removeprefix("pick:"): action for action in legal},
        cushion=action.removeprefix("pick:"),
        action=action,
        picked_from=carpet["cell"],
    )


def _aim(so_far: Choice, actions: Sequence[str], target: str, cushion: str) -> Choice:
    """The choice with its target, and with the cushion if it is known by now."""
    by_cushion = {_cushion(action): action for action in actions}
    bare = by_cushion.get("", "")
    action = by_cushion.get(cushion, bare)
    if not action and len(actions) == 1:
        action = actions[0]
    step = "target" if not actions else "confirm" if action else "cushion"
    taps = {name: action for name, action in by_cushion.items() if name}
    # Where a cushion need not be chosen, a second tap takes the choice back.
    if bare and cushion in taps:
        taps[cushion] = bare
    return replace(
        so_far,
        step=step,
        target=target,
        cushion_taps=taps,
        cushion=_cushion(action),
        action=action,
    )


def _ends(legal: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """What can be done, by what goes and where to."""
    ends: dict[str, dict[str, list[str]]] = {}
    for action in legal:
        read = _TAPPED.fullmatch(action)
        assert read is not None
        source, target, _ = _parts(read)
        ends.setdefault(source, {}).setdefault(target, []).append(action)
    return ends


def _parts(read: re.Match[str]) -> tuple[str, str, str]:
    """Source, target and cushion, each empty where it is not said."""
    if read["entry"]:
        return HAND, read["entry"], read["cushion"] or ""
    return read["first"] or read["start"], read["end"] or "", read["cushion"] or ""


def _ways(
    seen: Facts,
    source: str,
    carpet: Facts | None,
    ends: Mapping[str, Sequence[str]],
    refused: Mapping[str, str],
) -> dict[str, Way]:
    prefix = "enter:" if source == HAND else f"move:{source}-"
    ways: dict[str, Way] = {}
    for cell in [*ends, *refused]:
        there = _carpet(seen, cell)
        kind = "capture" if there else "board" if seen["cells"][cell]["genie"] else "free"
        ways[cell] = Way(
            tap=re.split("[@!]", ends[cell][0])[0] if cell in ends else f"{prefix}{cell}",
            kind=kind if cell in ends else "refused",
            why=refused.get(cell, ""),
            mine=len(carpet["cushions"]) if carpet else 0,
            theirs=len(there["cushions"]) if there else 0,
            against=there["seat"] if there else None,
        )
    return ways


def _carpet(seen: Facts, cell: str) -> Facts | None:
    return next((carpet for carpet in seen["carpets"] if carpet["cell"] == cell), None)


def _source_name(seen: Facts, refused: Facts) -> str:
    if refused["carpet"] is None:
        return HAND
    return str(next(c["cell"] for c in seen["carpets"] if c["id"] == refused["carpet"]))


def _cushion(action: str) -> str:
    return re.split("[@!]", f"{action}@")[1]
