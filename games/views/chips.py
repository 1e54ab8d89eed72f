"""Filters in sight: links that narrow a list down by one step, or widen it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import titles
from games.selectors.archive import ORDERS, Wanted
from games.selectors.facets import Facets
from games.selectors.rules import edition_name, name_of, reason_name
from games.sentences import labelled
from games.titles.completeness import offered


@dataclass(frozen=True, slots=True)
class Chip:
    label: str
    query: str
    """Where it leads to."""
    on: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    label: str
    chips: Sequence[Chip]
    one: bool = False
    """One of them must be chosen."""


class Chips:
    """Made of one address; what leads to another page of it is left out."""

    def __init__(self, query: QueryDict, *left_out: str) -> None:
        self.query = query.copy()
        for name in ("at", *left_out):
            self.query.pop(name, None)

    def group(self, label: str, name: str, choices: Iterable[tuple[str, str, int | None]]) -> Group:
        """Choices of (value, words for it, games); without games only what is chosen is shown."""
        chips = [
            Chip(words, self.leading_to(name, value), self.is_on(name, value), count)
            for value, words, count in choices
            if count is None or count or self.is_on(name, value)
        ]
        return Group(label, chips)

    def is_on(self, name: str, value: str) -> bool:
        return self.query.get(name, "") == value

    def at(self, name: str, value: str) -> str:
        """The same with this chosen, as it may be already."""
        query = self.query.copy()
        query[name] = value
        return f"?{query.urlencode()}"

    def leading_to(self, name: str, value: str) -> str:
        """The same with this chosen, or no longer chosen."""
        query = self.query.copy()
        if self.is_on(name, value) or not value:
            query.pop(name, None)
        else:
            query[name] = value
        return f"?{query.urlencode()}"


def archive_filters(
    chips: Chips, wanted: Wanted, found: Facets, years: Sequence[int], *, own: bool
) -> list[Group]:
    """All groups of which at least two chips make sense, or one is chosen."""
    counted = not wanted.own and not (
        wanted.since or wanted.until or wanted.starred or wanted.notes or wanted.opening
    )

    def count(name: str, value: Any) -> int | None:
        if not counted:
            return None
        traits_unknown = name in ("close", "comeback", "bots") and wanted.opponent
        return None if traits_unknown else found[name][value]

    rooms = [title.key for title in offered()]
    several = wanted.ruleset is None and len(rooms) > 1

    def kinds(name: str, words: Any) -> list[tuple[str, str, int | None]]:
        shown = sorted(key for key in found[name] if key[0] in titles.TITLES)
        return [
            (
                f"{key}/{value}",
                labelled(name_of(key), words(key, value)) if several else words(key, value),
                count(name, (key, value)),
            )
            for key, value in shown
            if wanted.ruleset in (None, key)
        ]

    groups = [
        chips.group(
            _("Game"), "game", [(key, name_of(key), count("ruleset", key)) for key in rooms]
        ),
        chips.group(
            _("Players"),
            "size",
            [(str(size), str(size), count("size", size)) for size in sorted(found["size"])],
        ),
        chips.group(
            _("Rating"),
            "rated",
            [("yes", _("Rated"), count("rated", True)), ("no", _("Casual"), count("rated", False))],
        ),
        chips.group(
            _("Who played"),
            "who",
            [
                ("people", _("People only"), count("bots", False)),
                ("bots", _("With bots"), count("bots", True)),
            ],
        ),
        _joined(
            _("How it went"),
            chips.group("", "close", [("yes", pgettext("a game", "Close"), count("close", True))]),
            chips.group("", "comeback", [("yes", _("Comeback"), count("comeback", True))]),
            *([chips.group("", "starred", [("yes", _("Starred"), None)])] if own else []),
            *([_seat_chip(chips)] if own and chips.query.get("seat") else []),
            *([_opening_chip(chips)] if own and chips.query.get("opening") else []),
        ),
        *([_places(chips, wanted, found)] if own else []),
        chips.group(_("Year"), "year", [(str(year), str(year), None) for year in years]),
        chips.group(_("Rules"), "edition", kinds("edition", edition_name)),
        chips.group(_("Ended by"), "reason", kinds("reason", reason_name)),
    ]
    return [group for group in groups if group.chips]


def _seat_chip(chips: Chips) -> Group:
    seat = str(chips.query["seat"])
    return chips.group("", "seat", [(seat, _("from seat %(seat)s") % {"seat": seat}, None)])


def _places(chips: Chips, wanted: Wanted, found: Facets) -> Group:
    """As many as there are at the largest table of what is wanted."""
    largest = wanted.size or max(found["size"], default=0)
    places = map(str, range(1, largest + 1))
    return chips.group(_("My place"), "place", [(place, place, None) for place in places])


def _opening_chip(chips: Chips) -> Group:
    path = str(chips.query["opening"])
    return chips.group("", "opening", [(path, _("The same beginning"), None)])


def _joined(label: str, *groups: Group) -> Group:
    return Group(label, [chip for group in groups for chip in group.chips])


def archive_orders(chips: Chips, ruleset: str | None) -> list[Chip]:
    title = titles.find(ruleset) if ruleset else next(iter(offered()), None)
    highest = titles.words(title.key).peak(title.highlight) if title and title.highlight else ""
    names = {
        "newest": _("Newest"),
        "closest": _("Closest"),
        "comeback": _("Greatest comeback"),
        "highest": highest,
        "longest": _("Longest"),
    }
    now = chips.query.get("order") or "newest"
    return [
        Chip(words, chips.leading_to("order", "" if name == "newest" else name), name == now)
        for name in ORDERS
        if (words := names[name])
    ]
