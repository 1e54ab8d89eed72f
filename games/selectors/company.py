"""Judged games as the look at company needs them, and what it found: for moderators alone."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet

from games.models import Bond, Performance
from games.reckon.judged.company import FEWEST_SEATS, Sitting

LATELY = 20_000
"""So many performances are looked at, the latest ones."""


def sittings(ruleset: str) -> Iterator[Sitting]:
    """Whole tables, the latest first."""
    rows = (
        Performance.objects.filter(ruleset=ruleset, size__gte=FEWEST_SEATS)
        .order_by("-ended_at", "-seat__game", "seat__number")
        .values_list("seat__game", "player", "gifts", "favours")[:LATELY]
    )
    table: list[tuple[int, list[int], list[int]]] = []
    current = None
    for game, player, gifts, favours in rows.iterator(chunk_size=2000):
        if game != current:
            current, table = game, []
        table.append((player, gifts, favours))
        if len(table) == len(gifts):
            players, given, favoured = zip(*table, strict=True)
            yield Sitting(players, favoured, given)


def bonds() -> QuerySet[Bond]:
    return Bond.objects.select_related("low", "high").order_by("chance", "low", "high")
