"""Leaderboards, and the numbers of the whole site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.selectors.explorer import Facet, bands, place
from games.selectors.hall import hall
from games.selectors.leaderboard import leaderboard as board_of
from games.selectors.rules import edition_name
from games.selectors.site import game_numbers, site_numbers
from games.titles.completeness import offered
from games.titles.manifest import Title
from games.views.chips import Chips, Group
from games.views.requests import viewer_of, whole_number


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    titles = offered()
    if not titles:
        raise Http404
    return redirect("leaderboard", titles[0].key)


@require_safe
def leaderboard(request: HttpRequest, ruleset: str) -> HttpResponse:
    """One game of the house: of all time or this year, for any number of players or one."""
    title = _offered(ruleset)
    now = timezone.now()
    this_year = request.GET.get("period") == "year"
    size = _size(request, title)
    context = {
        "board": board_of(ruleset, viewer_of(request), now, this_year=this_year, size=size),
        "ruleset": ruleset,
        "rulesets": [each.key for each in offered()],
        "sizes": title.seats,
        "size": size,
        "this_year": this_year,
        "year": now.year,
    }
    return render(request, "games/leaderboard.html", context)


@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    found = site_numbers()
    context = {"numbers": found, "trophies": hall(found.feats, viewer_of(request))}
    return render(request, "games/numbers.html", context)


@require_safe
def game(request: HttpRequest, ruleset: str) -> HttpResponse:
    """One game of the house: its board, its seats, how its games went, its records."""
    title = _offered(ruleset)
    size, edition = _size(request, title), request.GET.get("edition", "")
    found = game_numbers(ruleset, size=size, edition=edition)
    chips = Chips(request.GET)
    groups = [_sizes(chips, title), _editions(chips, ruleset, found.editions)]
    context = {
        "ruleset": ruleset,
        "numbers": found,
        "trophies": hall(found.feats, viewer_of(request)),
        "groups": [group for group in groups if group.chips],
    }
    return render(request, "games/numbers_of_game.html", context)


@require_safe
def openings(request: HttpRequest, ruleset: str) -> HttpResponse:
    """The explorer: first moves, how often, and how it ended for whoever made them."""
    title = _offered(ruleset)
    size = _size(request, title) or title.seats[0]
    path = request.GET.get("path", "")
    facet = Facet(
        edition=request.GET.get("edition") or None,
        band=whole_number(request.GET.get("band")),
        bots={"bots": True, "people": False}.get(request.GET.get("who", "")),
    )
    found = place(ruleset, size, path, facet) if len(path) <= LONGEST and "\0" not in path else None
    if found is None and path:
        raise Http404
    chips = Chips(request.GET)
    elsewhere = Chips(request.GET, "path")
    groups = [
        _sizes(elsewhere, title, size),
        _editions(chips, ruleset, found.editions if found else ()),
        chips.group(
            _("Rating"),
            "band",
            [(str(number), words, None) for number, words in enumerate(bands())],
        ),
        chips.group(
            _("Who played"),
            "who",
            [("people", _("People only"), None), ("bots", _("With bots"), None)],
        ),
    ]
    context = {
        "ruleset": ruleset,
        "size": size,
        "place": found,
        "groups": [group for group in groups if group.chips],
        "back": elsewhere.leading_to("path", ""),
        "way": [(words, elsewhere.leading_to("path", way)) for words, way in found.way]
        if found
        else [],
        "steps": [(step, elsewhere.leading_to("path", step.path)) for step in found.steps]
        if found
        else [],
    }
    return render(request, "games/openings.html", context)


LONGEST = 160


def _offered(ruleset: str) -> Title:
    for title in offered():
        if title.key == ruleset:
            return title
    raise Http404


def _size(request: HttpRequest, title: Title) -> int:
    wished = whole_number(request.GET.get("size"))
    return wished if wished in title.seats else 0


def _sizes(chips: Chips, title: Title, chosen: int = 0) -> Group:
    """Any number of players, or the one that must be chosen."""
    found = chips.group(
        _("Players"), "size", [(str(size), str(size), None) for size in title.seats]
    )
    if not chosen:
        return found
    return Group(
        found.label,
        [
            replace(chip, query=chips.at("size", chip.label), on=chip.label == str(chosen))
            for chip in found.chips
        ],
        one=True,
    )


def _editions(chips: Chips, ruleset: str, editions: Sequence[str]) -> Group:
    named = [(edition, edition_name(ruleset, edition), None) for edition in editions]
    return chips.group(_("Rules"), "edition", named if len(named) > 1 else [])
