"""The first page, and the ways back to the games that wait."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.selectors import lessons, lobby, moderation
from games.selectors.rules import motto
from games.selectors.stamps import home_stamp
from games.views.requests import HtmxRequest, kept_offline, page_number, player_of, whole_number


@require_safe
def home(request: HtmxRequest) -> HttpResponse:
    """An open page that asks for itself hears 204 while it shows what there is."""
    if not request.user.is_authenticated:
        return HttpResponseClientRefresh() if request.htmx else _welcome(request)
    stamp = home_stamp(player_of(request))
    if request.htmx and stamp == request.GET.get("stamp"):
        return HttpResponse(status=204)
    lists = lobby.home_lists(request.user)
    context = {
        "lists": lists,
        "join": lobby.newest_to_join(request.user),
        "stamp": stamp,
        "acts": moderation.news_for(player_of(request), timezone.now()),
        "drawn": {row.game.ruleset for row in lists["turn"].rows},
    }
    return kept_offline(render(request, "games/home.html", context))


def _welcome(request: HttpRequest) -> HttpResponse:
    """What Souk is, beside a game that plays by itself or else a position to learn from."""
    window = lobby.shop_window()
    key = next(iter(lessons.taught()), "")
    live = {window["live"].game.ruleset} if window["live"] else set()
    context = {
        **window,
        "key": key,
        "frames": lessons.showcase(key) if key else (),
        "figure": lessons.window(key) if key else None,
        "drawn": sorted({key, *live} - {""}),
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
    """The next game that waits; `after` is the one just looked at."""
    game = lobby.next_to_act(player_of(request), after=request.GET.get("after", ""))
    return redirect(game or "home")


@require_safe
@cache_control(public=True, max_age=7 * 24 * 3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """The emblem with the number of games that wait, which is part of the address."""
    count = min(whole_number(request.GET.get("n")) or 0, 99)
    return HttpResponse(
        render_to_string("games/_favicon.svg", {"count": count}), content_type="image/svg+xml"
    )
