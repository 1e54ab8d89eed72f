"""Leaderboards, and the numbers of the whole site."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.selectors.leaderboard import leaderboard as board_of
from games.selectors.stats import site_numbers
from games.titles.completeness import offered
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
    titles = {title.key: title for title in offered()}
    if ruleset not in titles:
        raise Http404
    now = timezone.now()
    this_year = request.GET.get("period") == "year"
    sizes = titles[ruleset].seats
    wished = whole_number(request.GET.get("size"))
    size = wished if wished in sizes else 0
    context = {
        "board": board_of(ruleset, viewer_of(request), now, this_year=this_year, size=size),
        "ruleset": ruleset,
        "rulesets": list(titles),
        "sizes": sizes,
        "size": size,
        "this_year": this_year,
        "year": now.year,
    }
    return render(request, "games/leaderboard.html", context)


@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    return render(request, "games/numbers.html", {"numbers": site_numbers()})
