"""Where rugs lie and stay, where Assam stops, and when dirhams change hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from games.engine.interface import Played
from games.titles.figuring import Figuring, Kind, Moment, phase

from .rules.figures import region_after
from .rules.geometry import LANE, NAMES, SPOT_BY_ACTION, SQUARES

ROWS = tuple(tuple(f"{column}{row}" for column in "abcdefg") for row in range(7, 0, -1))


def count(seats: int, played: Sequence[Played]) -> list[Counter[str]]:
    """`rug:` squares where rugs were laid, `stay:` those that show at the end, `stop:` where
    Assam came to stand; `paid:` and `earned:` dirhams by phase."""
    counts: list[Counter[str]] = [Counter() for _ in range(seats)]
    for number, each in enumerate(played):
        own = counts[each.seat]
        if spot := SPOT_BY_ACTION.get(each.action):
            for square in spot.squares:
                own[f"rug:{NAMES[square]}"] += 1
        if "die" in each.facts:
            own[f"stop:{each.facts['assam'].split()[0]}"] += 1
        if paid := each.facts.get("paid"):
            now = phase(number, len(played))
            own[f"paid:{now}"] += paid["amount"]
            counts[paid["to"]][f"earned:{now}"] += paid["amount"]
    if played:
        _staying(counts, played[-1])
    return counts


def _staying(counts: Sequence[Counter[str]], last: Played) -> None:
    state = last.after
    for field, seat in enumerate(state.setup.owners):
        shown = state.shown >> LANE * field
        for square in SQUARES:
            if shown >> square & 1:
                counts[seat][f"stay:{NAMES[square]}"] += 1


def moments(played: Sequence[Played]) -> list[Moment]:
    """The highest payment and the largest region."""
    found: dict[str, Moment] = {}
    for number, each in enumerate(played, start=1):
        values = {}
        if paid := each.facts.get("paid"):
            values["payment"] = paid["amount"]
        if each.action in SPOT_BY_ACTION:
            values["region"] = region_after(each)
        for key, value in values.items():
            if value and (key not in found or value > found[key].value):
                found[key] = Moment(key, each.seat, value, number)
    return list(found.values())


FIGURING = Figuring(
    planes=(ROWS,),
    maps=(
        Kind("rug", _("Where rugs are laid")),
        Kind("stay", _("Where rugs stay to the end")),
        Kind("stop", _("Where Assam stops")),
    ),
    flows=(Kind("paid", _("Dirhams paid")), Kind("earned", _("Dirhams earned"))),
    count=count,
    moments=moments,
)
