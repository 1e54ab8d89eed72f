"""The table: one game, its board and everything around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.middleware import preferences
from games.models import Game, Player
from games.selectors import access, words
from games.selectors import table as tables
from games.services import play, table_talk
from games.services.errors import Refused
from games.views import lobby
from games.views.requests import HtmxRequest, game_at, player_of

P = ParamSpec("P")
View = Callable[Concatenate[HtmxRequest, str, P], HttpResponse]

BEFORE_THE_START = (Game.Status.OPEN, Game.Status.CANCELLED, Game.Status.EXPIRED)


def signed_in(view: View[P]) -> View[P]:
    """Whoever is signed out (by now) signs in and comes back to the table."""

    @wraps(view)
    def guarded(
        request: HtmxRequest, public_id: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, public_id, *args, **kwargs)
        sign_in = redirect_to_login(reverse("table", args=[public_id]))
        return HttpResponseClientRedirect(sign_in.url) if request.htmx else sign_in

    return guarded


@require_GET
@never_cache
def table(request: HtmxRequest, public_id: str) -> HttpResponse:
    """The page of one game; for HTMX, its board and question."""
    game = game_at(request, public_id)
    if game.status in BEFORE_THE_START:
        return lobby.waiting_room(request, game)
    seen = _see(request, game)
    if request.htmx:
        return render(request, "games/_table.html", _context(request, seen))
    response = _page(request, seen)
    if seen.own_seat and seen.is_current:
        table_talk.look(seat=seen.own_seat, move_count=len(seen.moves))
    return response


@require_GET
@never_cache
def changes(request: HtmxRequest, public_id: str) -> HttpResponse:
    """What an open page asks: 204 while nothing happened, else the parts that changed.

    The idle answer must cost next to nothing, so it knows neither player nor language.
    """
    stamp = tables.current_stamp(public_id)
    if stamp and stamp == request.GET.get("stamp"):
        return HttpResponse(status=204)
    with preferences(request):
        return _changes(request, game_at(request, public_id))


def _changes(request: HtmxRequest, game: Game) -> HttpResponse:
    if game.status in BEFORE_THE_START:
        return HttpResponse(status=204)
    seen = _see(request, game)
    known = min(_whole_number(request, "on") or 0, len(seen.moves))
    context = _context(request, seen, known=known)
    context["lines"] = tables.chat(game, _viewer(request))
    context["news"] = seen.news_since(known)
    if seen.own_seat and seen.is_current:
        table_talk.look(seat=seen.own_seat, move_count=len(seen.moves))
    return render(request, "games/_changes.html", context)


@require_POST
@signed_in
def move(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Play one decision; the answer is the new board, or the reason why not."""
    game = game_at(request, public_id)
    on_move = _whole_number(request, "on")
    try:
        if on_move is None:
            raise Refused(_("That form is not complete. Try again."))
        play.play_move(
            game_id=game.pk,
            player=player_of(request),
            action=request.POST.get("action", ""),
            on_move=on_move,
            now=timezone.now(),
        )
    except play.Stale as refusal:
        return _answer(request, game, refusal=refusal, status=409)
    except Refused as refusal:
        return _answer(request, game, refusal=refusal, status=422)
    return _answer(request, game)


@require_http_methods(["GET", "POST"])
@signed_in
def resign(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Ask, then give up the own seat."""
    game = game_at(request, public_id)
    if player_of(request).pk not in access.seated(game):
        raise Http404
    if request.method == "GET":
        if game.status != Game.Status.RUNNING:
            return redirect(game)
        return render(request, "games/resign.html", {"game": game})
    try:
        play.resign(game_id=game.pk, player=player_of(request), now=timezone.now())
    except Refused as refusal:
        return _answer(request, game, refusal=refusal, status=409)
    return redirect(game)


@require_POST
@signed_in
def talk(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Say something at the table."""
    game = game_at(request, public_id)
    try:
        table_talk.post_message(
            game=game,
            player=player_of(request),
            text=request.POST.get("text", ""),
            now=timezone.now(),
        )
    except Refused as refusal:
        return _talked(request, game, refusal)
    return _talked(request, game)


def _talked(request: HtmxRequest, game: Game, refusal: Refused | None = None) -> HttpResponse:
    if not request.htmx:
        if refusal:
            return _answer(request, game, refusal=refusal, status=422)
        return redirect(reverse("table", args=[game.public_id]) + "#chat")
    context = {
        "game": game,
        "lines": tables.chat(game, _viewer(request)),
        "may_talk": player_of(request).pk in access.seated(game),
        "refusal": refusal,
    }
    return render(request, "games/_chat.html", context, status=422 if refusal else 200)


@require_POST
@signed_in
def notes(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Keep the private notes of this player at this table."""
    game = game_at(request, public_id)
    try:
        table_talk.keep_notes(
            game=game, player=player_of(request), text=request.POST.get("text", "")
        )
    except Refused as refusal:
        if request.htmx:
            return render(request, "games/_notes_kept.html", {"refusal": refusal}, status=422)
        return _answer(request, game, refusal=refusal, status=422)
    if request.htmx:
        return render(request, "games/_notes_kept.html")
    return redirect(reverse("table", args=[public_id]) + "#notes")


def _viewer(request: HtmxRequest) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def _see(request: HtmxRequest, game: Game) -> tables.Table:
    return tables.see_table(
        game,
        _viewer(request),
        at=_whole_number(request, "move"),
        chosen=request.GET.get("choose", ""),
    )


def _whole_number(request: HtmxRequest, name: str) -> int | None:
    """A number from the address or form; anything else counts as not given."""
    text = request.POST.get(name) or request.GET.get(name) or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _context(
    request: HtmxRequest, seen: tables.Table, *, known: int | None = None
) -> dict[str, Any]:
    """What the parts of the page are made of; moves after `known` are new to it."""
    game = seen.game
    viewer = _viewer(request)
    since = _whole_number(request, "since")
    if since is None:
        since = seen.own_seat.seen_moves if seen.own_seat else len(seen.moves)
    since = min(since, len(seen.moves))
    missed = seen.news_since(since) if seen.own_seat else []
    return {
        "table": seen,
        "game": game,
        "known": known,
        "board": seen.board(seen=known),
        "url": resolve_url(game),
        "description": words.position_in_words(seen.observation, seen.names).splitlines(),
        "direct": viewer is not None and not viewer.confirm_moves,
        "stamp": tables.stamp(game.public_id, len(seen.moves), getattr(game, "last_line", None)),
        "since": since,
        "missed": missed,
        "keep": f"&since={since}" if missed and not seen.is_current else "",
        "may_talk": seen.own_seat is not None,
    }


def _page(
    request: HtmxRequest, seen: tables.Table, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = _context(request, seen)
    context["lines"] = tables.chat(seen.game, _viewer(request))
    return render(request, "games/table.html", {**context, **more}, status=status)


def _answer(
    request: HtmxRequest, game: Game, *, refusal: Refused | None = None, status: int = 200
) -> HttpResponse:
    """After a POST: the parts that changed for HTMX, the page for everybody else."""
    if not request.htmx and not refusal:
        return redirect(reverse("table", args=[game.public_id]) + "#board")
    fresh = tables.find_game(game.public_id)
    assert fresh
    seen = tables.see_table(fresh, _viewer(request))
    on_move = _whole_number(request, "on")
    known = len(seen.moves) if on_move is None else min(on_move, len(seen.moves))
    if seen.own_seat:
        table_talk.look(seat=seen.own_seat, move_count=len(seen.moves))
    meanwhile = seen.turns_since(known) if isinstance(refusal, play.Stale) else []
    if not request.htmx:
        return _page(request, seen, status=status, refusal=refusal, meanwhile=meanwhile)
    context = _context(request, seen, known=known)
    context |= {
        "refusal": refusal,
        "meanwhile": meanwhile,
        "news": seen.turns_since(known),
        "acted": not refusal,
    }
    if not seen.may_act and not refusal:
        context |= {"since": len(seen.moves), "missed": [], "keep": ""}
    return render(request, "games/_answer.html", context, status=status)
