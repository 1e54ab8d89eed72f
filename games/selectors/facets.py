"""How many games each further step of narrowing the archive down would leave, from the books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.models import Rivalry, Sheet, Shelf, Tally
from games.selectors.archive import Wanted
from games.selectors.finished import CAME_BACK, CLOSE, WITH_BOTS

COLUMNS = ("ruleset", "size", "edition", "rated", "reason", "public")
TRAITS = ("close", "comeback", "bots")
Facets = Mapping[str, Counter[Any]]


@dataclass(frozen=True, slots=True)
class Book:
    """Games of one kind: how many, and how many of them with which traits (None: not known)."""

    kind: Mapping[str, Any]
    games: int
    traits: Mapping[int, int] | None


def facets(wanted: Wanted) -> Facets:
    """For each way to narrow down, by value: the games that fit all the other ways.

    Editions and reasons are by game of the house, too. Days, stars and notes are in no book, so
    they are not counted in.
    """
    found: dict[str, Counter[Any]] = {name: Counter() for name in (*COLUMNS, *TRAITS)}
    for book in _books(wanted):
        fixed = wanted.shelf
        differing = [name for name, value in fixed.items() if book.kind[name] != value]
        if len(differing) > 1 or "public" in differing:
            continue
        fitting, by_trait = _fitting(book, wanted)
        for name in COLUMNS:
            if differing in ([], [name]):
                found[name][_value(book.kind, name)] += fitting
        if not differing:
            for name, games in by_trait.items():
                found[name][True] += games
            found["bots"][False] += _without_bots(book, wanted)
    return found


def years(wanted: Wanted) -> list[int]:
    """Those in which games of these players, or of anybody, ended; the last one first."""
    sheets = Sheet.objects.filter(player=wanted.player, topic="year")
    if not wanted.private_too:
        sheets = sheets.filter(public=True)
    return sorted(set(sheets.values_list("year", flat=True)), reverse=True)


def _value(kind: Mapping[str, Any], name: str) -> Any:
    return (kind["ruleset"], kind[name]) if name in ("edition", "reason") else kind[name]


def _fitting(book: Book, wanted: Wanted) -> tuple[int, dict[str, int]]:
    """Those with the traits that are wanted; and for each trait, those if it were wanted, too."""
    if book.traits is None:
        return book.games, {}
    fitting = sum(count for traits, count in book.traits.items() if wanted.fits(traits))
    masks = {"close": CLOSE, "comeback": CAME_BACK, "bots": WITH_BOTS}
    given = CLOSE * wanted.close | CAME_BACK * wanted.comeback
    return fitting, {
        name: sum(
            count
            for traits, count in book.traits.items()
            if traits & mask
            and traits & given == given
            and (name == "bots" or wanted.bots in (None, bool(traits & WITH_BOTS)))
        )
        for name, mask in masks.items()
    }


def _without_bots(book: Book, wanted: Wanted) -> int:
    given = CLOSE * wanted.close | CAME_BACK * wanted.comeback
    counted = (book.traits or {}).items()
    return sum(n for traits, n in counted if not traits & WITH_BOTS and traits & given == given)


def _books(wanted: Wanted) -> Iterator[Book]:
    if wanted.player and wanted.opponent:
        low, high = sorted((wanted.player, wanted.opponent), key=lambda player: player.pk)
        rivalries = Rivalry.objects.filter(low=low, high=high)
        for *kind, games in rivalries.values_list(*(f"shelf__{name}" for name in COLUMNS), "games"):
            yield Book(dict(zip(COLUMNS, kind, strict=True)), games, None)
        return
    rows: Any
    if wanted.player:
        names = [f"shelf__{name}" for name in COLUMNS]
        rows = Tally.objects.filter(player=wanted.player).values_list(*names, "games", "sums")
    else:
        rows = Shelf.objects.filter(public=True).values_list(*COLUMNS, "games", "sums")
    for *kind, games, sums in rows:
        traits = {
            int(name.removeprefix("traits:")): count
            for name, count in sums.items()
            if name.startswith("traits:")
        }
        yield Book(dict(zip(COLUMNS, kind, strict=True)), games, traits)
