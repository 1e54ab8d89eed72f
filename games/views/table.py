"""The table: one game, its board and everything around it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games.middleware import preferences
from games.models import Game
from games.selectors import access, telling
from games.selectors import table as tables
from games.selectors.lobby import next_to_act
from games.selectors.table import Table
from games.selectors.table_page import TablePage, chat_lines, table_page
from games.services import play, table_talk
from games.services.errors import Refused
from games.views import lobby
from games.views.requests import (
    BEFORE_THE_START,
    HtmxRequest,
    back_to_the_waiting_room,
    game_at,
    kept_offline,
    made_for_whoever_asks,
    number_in,
    part,
    player_of,
    signed_in,
    started_game_at,
    viewer_of,
)


@require_safe
@never_cache
def table(request: HtmxRequest, public_id: str) -> HttpResponse:
    """The page of one game; for HTMX, its board and question."""
    game = game_at(request, public_id)
    if game.status in BEFORE_THE_START:
        return lobby.waiting_room(request, game)
    seen = _see(request, game)
    if request.htmx:
        return _render(request, "games/_table.html", _page(request, seen))
    page = _page(request, seen, lines=chat_lines(game, viewer_of(request)))
    _look(seen)
    response = _render(request, "games/table.html", page)
    return kept_offline(response) if seen.own_seat else response


@require_safe
@never_cache
def changes(request: HtmxRequest, public_id: str) -> HttpResponse:
    """What an open page asks: 204 while nothing happened, else the parts that changed.

    The idle answer must cost next to nothing, so it knows neither player nor language.
    """
    stamp = tables.current_stamp(public_id)
    if stamp and stamp == request.GET.get("stamp"):
        return HttpResponse(status=204)
    with preferences(request):
        if made_for_whoever_asks(request) is False:
            return HttpResponse(status=401)
        return _changes(request, game_at(request, public_id))


def _changes(request: HtmxRequest, game: Game) -> HttpResponse:
    if game.status in BEFORE_THE_START:
        return HttpResponse(status=204)
    seen = _see(request, game)
    known = min(number_in(request, "on") or 0, len(seen.moves))
    page = _page(
        request,
        seen,
        known=known,
        lines=chat_lines(game, viewer_of(request)),
        news=seen.news_since(known),
    )
    _look(seen)
    return _render(request, "games/_changes.html", page)


@require_safe
@never_cache
def whole_story(request: HtmxRequest, public_id: str) -> HttpResponse:
    """All positions of a game, as the little that changed with each move."""
    seen = tables.see_table(started_game_at(request, public_id), viewer_of(request))
    told = telling.whole_story(seen)
    if told is None:
        raise Http404
    return HttpResponse(told, content_type="application/json")


@require_POST
@signed_in
def move(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Play one decision; the answer is the new board, or the reason why not."""
    on_move = number_in(request, "on")
    try:
        if on_move is None:
            raise Refused(_("That form is not complete. Try again."))
        course = play.play_move(
            game_id=public_id,
            player=player_of(request),
            action=request.POST.get("action", ""),
            on_move=on_move,
            now=timezone.now(),
            looks_on=bool(request.htmx),
        )
    except Game.DoesNotExist:
        raise Http404 from None
    except play.Stale as refusal:
        return _refused(request, public_id, refusal, status=409)
    except Refused as refusal:
        return _refused(request, public_id, refusal)
    seen = tables.table_of(course, viewer_of(request))
    if onwards := _moves_on(request, seen):
        return onwards
    if not request.htmx:
        return redirect(_part_of(public_id, "board"))
    return _answer(request, seen, known=min(on_move, len(seen.moves)))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def resign(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Ask, then give up the own seat."""
    game = game_at(request, public_id)
    if player_of(request).pk not in access.seated(game):
        raise Http404
    if request.method != "POST":
        if game.status != Game.Status.RUNNING:
            return redirect(game)
        return render(request, "games/resign.html", {"game": game})
    try:
        play.resign(game_id=game.pk, player=player_of(request), now=timezone.now())
    except Refused as refusal:
        return _refused(request, public_id, refusal, status=409)
    return redirect(game)


@require_POST
@signed_in
def talk(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Say something at the table."""
    game = game_at(request, public_id)
    refusal = None
    try:
        table_talk.post_message(
            game=game,
            player=player_of(request),
            text=request.POST.get("text", ""),
            now=timezone.now(),
        )
    except Refused as refused:
        refusal = refused
    if refusal and (not request.htmx or game.status in BEFORE_THE_START):
        return _refused(request, public_id, refusal)
    if not request.htmx:
        return redirect(_part_of(public_id, "chat"))
    context = {
        "game": game,
        "lines": chat_lines(game, viewer_of(request)),
        "may_talk": player_of(request).pk in access.seated(game),
        "refusal": refusal,
    }
    return part(request, "games/_chat.html", context, status=422 if refusal else 200)


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
        if request.htmx and game.status not in BEFORE_THE_START:
            return part(request, "games/_notes_kept.html", {"refusal": refusal}, status=422)
        return _refused(request, public_id, refusal)
    if request.htmx:
        return part(request, "games/_notes_kept.html", {})
    return redirect(_part_of(public_id, "notes"))


def _see(request: HtmxRequest, game: Game) -> Table:
    return tables.see_table(
        game,
        viewer_of(request),
        at=number_in(request, "move"),
        chosen=request.GET.get("choose", ""),
    )


def _page(request: HtmxRequest, seen: Table, **more: Any) -> TablePage:
    return table_page(seen, viewer_of(request), **{"since": number_in(request, "since"), **more})


def _look(seen: Table) -> None:
    if seen.own_seat and seen.is_current:
        table_talk.look(seat=seen.own_seat, move_count=len(seen.moves))


def _refused(
    request: HtmxRequest, public_id: str, refusal: Refused, *, status: int = 422
) -> HttpResponse:
    """The table as it is, with the reason why nothing changed."""
    game = game_at(request, public_id)
    if game.status in BEFORE_THE_START:
        return back_to_the_waiting_room(request, public_id, refusal)
    seen = tables.see_table(game, viewer_of(request))
    on_move = number_in(request, "on")
    known = len(seen.moves) if on_move is None else min(on_move, len(seen.moves))
    meanwhile = seen.turns_since(known) if isinstance(refusal, play.Stale) else []
    if request.htmx:
        more = {"refusal": refusal, "meanwhile": meanwhile}
        return _answer(request, seen, known=known, status=status, **more)
    lines = chat_lines(game, viewer_of(request))
    page = _page(request, seen, refusal=refusal, meanwhile=meanwhile, lines=lines)
    _look(seen)
    return _render(request, "games/table.html", page, status=status)


def _answer(
    request: HtmxRequest, seen: Table, *, known: int, status: int = 200, **more: Any
) -> HttpResponse:
    """After a form that HTMX sent: the parts of the page that changed."""
    more |= {"news": seen.turns_since(known), "acted": "refusal" not in more}
    if more["acted"] and not seen.may_act:
        # The turn is over, and so is what was to be told before it.
        more["since"] = len(seen.moves)
    page = _page(request, seen, known=known, **more)
    _look(seen)
    return _render(request, "games/_answer.html", page, status=status)


def _render(
    request: HtmxRequest, template: str, page: TablePage, *, status: int = 200
) -> HttpResponse:
    return render(request, template, vars(page), status=status)


def _moves_on(request: HtmxRequest, seen: Table) -> HttpResponse | None:
    """To the next game that waits, for those who like it so and whose turn here is over."""
    player = player_of(request)
    if not player.moves_on or seen.may_act or seen.game.status != Game.Status.RUNNING:
        return None
    following = next_to_act(player, after=seen.game.public_id)
    if following is None:
        return None
    address = following.get_absolute_url()
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def _part_of(public_id: str, part: str) -> str:
    return reverse("table", args=[public_id]) + f"#{part}"
