"""What stands on the sheets: counters of finished games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from games import titles
from games.models import Player, Sheet
from games.numerals import grouped
from games.selectors.shares import added

Counts = dict[str, int]
COMMON = ("rating", "margin", "comeback", "changes", "moves")
"""Feats that every game of the house has, after those of its room."""


def sheets(player: Player | None, topic: str, *, private_too: bool = False) -> QuerySet[Sheet]:
    """Of a player, or (None) of everybody's public games."""
    found = Sheet.objects.filter(player=player, topic=topic)
    return found if private_too else found.filter(public=True)


def play_counts(player: Player, ruleset: str, *, private_too: bool, size: int = 0) -> Counts:
    """What a player did at the boards of one game."""
    found = sheets(player, "play", private_too=private_too).filter(ruleset=ruleset)
    if size:
        found = found.filter(size=size)
    return added(found.values_list("counts", flat=True))


def style_counts(ruleset: str, band: int, size: int = 0) -> Counts:
    """What all those did whose ratings are in this band."""
    found = sheets(None, "style").filter(ruleset=ruleset, band=band)
    if size:
        found = found.filter(size=size)
    return added(found.values_list("counts", flat=True))


@dataclass(frozen=True, slots=True)
class Feat:
    """A record: what, how much, when and in which game."""

    name: str
    label: str
    value: int
    at: datetime
    game: str

    @property
    def address(self) -> str:
        return reverse("table", args=[self.game])

    @property
    def text(self) -> str:
        """Ratings are written without a sign between thousands, everywhere."""
        return str(self.value) if self.name == "rating" else grouped(self.value)


def feats_of(
    player: Player | None, ruleset: str, *, private_too: bool = False, year: int = 0
) -> list[Feat]:
    """The best of all years, or of one."""
    found = sheets(player, "feats", private_too=private_too).filter(ruleset=ruleset)
    if year:
        found = found.filter(year=year)
    best: dict[str, Any] = {}
    for counts in found.values_list("counts", flat=True):
        for name, feat in counts.items():
            held = best.get(name)
            if held is None or (-feat[0], *feat[1:]) < (-held[0], *held[1:]):
                best[name] = feat
    return list(_told(ruleset, best))


def _told(ruleset: str, best: dict[str, Any]) -> Iterator[Feat]:
    words = titles.words(ruleset)
    for name in _in_order(best):
        value, at, public_id = best[name]
        label = words.feat(name) if name in COMMON else words.peak(name)
        yield Feat(name, label, value, datetime.fromisoformat(at), public_id)


def _in_order(names: Any) -> Sequence[str]:
    own = sorted(name for name in names if name not in COMMON)
    return [*own, *(name for name in COMMON if name in names)]
