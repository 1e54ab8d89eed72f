"""The first page, and the ways back to the games that wait."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.selectors import lessons, lobby
from games.selectors.rules import motto
from games.views.requests import page_number, player_of, whole_number


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return _welcome(request)
    lists = lobby.home_lists(request.user)
    drawn = {row.game.ruleset for row in lists["turn"].rows}
    return render(request, "games/home.html", {"lists": lists, "drawn": drawn})


def _welcome(request: HttpRequest) -> HttpResponse:
    """What Souk is, with a game in play or else a position to learn from."""
    window = lobby.shop_window()
    taught = lessons.taught()
    key = window["live"].game.ruleset if window["live"] else next(iter(taught), "")
    figure = lessons.window(key) if key and not window["live"] else None
    context = {
        **window,
        "key": key,
        "figure": figure,
        "drawn": [key] if key else [],
        "motto": motto(),
    }
    return render(request, "games/welcome.html", context)


@require_safe
@login_required
def my_games(request: HttpRequest, which: str) -> HttpResponse:
    """One list of the first page in full."""
    listing = lobby.my_list(player_of(request), which, page_number(request))
    if listing is None:
        raise Http404
    drawn = {row.game.ruleset for row in listing.rows if row.board}
    context = {"which": which, "listing": listing, "drawn": drawn}
    return render(request, "games/my_games.html", context)


@require_safe
@login_required
def next_game(request: HttpRequest) -> HttpResponse:
    """The most urgent game; `after` is the one just played."""
    game = lobby.most_urgent(player_of(request), after=request.GET.get("after", ""))
    return redirect(game or "home")


@require_safe
@cache_control(public=True, max_age=7 * 24 * 3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """The emblem with the number of games that wait, which is part of the address."""
    count = min(whole_number(request.GET.get("n")) or 0, 99)
    return HttpResponse(
        render_to_string("games/_favicon.svg", {"count": count}), content_type="image/svg+xml"
    )
