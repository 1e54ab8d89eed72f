"""Where carpets enter, fly and are lost, and when genies are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from games.engine.interface import Played
from games.titles.figuring import Figuring, Kind, Moment, phase

PLANES = tuple(
    tuple(tuple(f"{plane}{column}{row}" for column in "abcde") for row in range(5, 0, -1))
    for plane in "UL"
)


def count(seats: int, played: Sequence[Played]) -> list[Counter[str]]:
    """`enter:`, `fly:` (where to) and `lost:` cells of the own carpets; `taken:` and `given:`
    genies by phase."""
    counts: list[Counter[str]] = [Counter() for _ in range(seats)]
    for number, each in enumerate(played):
        own, facts = counts[each.seat], each.facts
        if entered := facts.get("entered"):
            own[f"enter:{entered['cell']}"] += 1
        if moved := facts.get("moved"):
            own[f"fly:{moved['to']}"] += 1
        if captured := facts.get("captured"):
            now = phase(number, len(played))
            loser = counts[captured["seat"]]
            loser[f"lost:{facts['moved']['to']}"] += 1
            own[f"taken:{now}"] += captured["genies"]
            loser[f"given:{now}"] += captured["genies"]
    return counts


def moments(played: Sequence[Played]) -> list[Moment]:
    """The most genies in one capture."""
    hauls = [
        Moment("haul", each.seat, each.facts["captured"]["genies"], number)
        for number, each in enumerate(played, start=1)
        if each.facts.get("captured")
    ]
    return [max(hauls, key=lambda haul: haul.value)] if hauls else []


FIGURING = Figuring(
    planes=PLANES,
    maps=(
        Kind("enter", _("Where carpets enter")),
        Kind("fly", _("Where carpets fly to")),
        Kind("lost", _("Where carpets are lost")),
    ),
    flows=(Kind("taken", _("Genies captured")), Kind("given", _("Genies lost"))),
    count=count,
    moments=moments,
)
