"""What a request says, read in one place, and how a refusal is told to whoever asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from axes.helpers import get_client_ip_address
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from games.models import Game, Player, Seat
from games.selectors import access, players
from games.selectors import table as tables
from games.selectors.access import Viewer
from games.selectors.reach import webhooks_in_question
from games.services.commitments import Used
from games.services.errors import Refused
from games.services.notices.links import BadLink, EndedLink

P = ParamSpec("P")
T = TypeVar("T")

BEFORE_THE_START = (Game.Status.OPEN, Game.Status.CANCELLED, Game.Status.EXPIRED)

MOST_DIGITS = 9
"""Longer numbers are typed by nobody, and no column of the database holds them."""

MOST_NUMBERS = 100
"""No form has more boxes to tick."""

LAST_PAGE = 500
"""Nobody leafs further by hand, and the database would have to count its way there."""


class HtmxRequest(HttpRequest):
    htmx: HtmxDetails


View = Callable[Concatenate[HttpRequest, P], HttpResponse]
TERMS = {
    **{name: name for name in ("size", "pace", "visibility", "fill_level")},
    "game": "ruleset",
    "level": "fill_level",
}
"""Which fields of the forms that open games become which columns."""

GameView = Callable[Concatenate[HtmxRequest, str, P], HttpResponse]


# Who asks.


def player_of(request: HttpRequest) -> Player:
    """In a view for those who are signed in."""
    assert isinstance(request.user, Player)
    return request.user


def viewer_of(request: HttpRequest) -> Player | None:
    """None is somebody who is not signed in."""
    return request.user if isinstance(request.user, Player) else None


def network_of(request: HttpRequest) -> str:
    """Where the request comes from, as those who guess passwords are counted."""
    return get_client_ip_address(request) or ""


def made_for_whoever_asks(request: HttpRequest) -> bool | None:
    """Whether the page that a script asks from was made for the same player: nobody acts as
    somebody else unawares. None where no script asks."""
    made_for = request.headers.get("X-Player")
    return None if made_for is None else made_for == str(request.user.pk or "")


def signed_in(view: GameView[P]) -> GameView[P]:
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


# What the address is about. For those who may not see it there is nothing there.


def game_at(request: HttpRequest, public_id: str) -> Game:
    """The game with its seats."""
    return _game_for(request.user, public_id)


def started_game_at(request: HttpRequest, public_id: str) -> Game:
    return _started(game_at(request, public_id))


def game_for_everybody(public_id: str) -> Game:
    """A started game that also those may see who are not signed in."""
    return _started(_game_for(None, public_id))


def own_seat_at(request: HttpRequest, public_id: str) -> Seat:
    player = player_of(request)
    for seat in game_at(request, public_id).seats.all():
        if seat.player_id == player.pk:
            return seat
    raise Http404


def player_named(username: str) -> Player:
    player = players.find_player(username)
    if player is None:
        raise Http404
    return player


# Numbers in addresses and forms.


def granted_by(read: Callable[[str], T], token: str) -> T:
    """What the signed link of a mail is good for."""
    try:
        return read(token)
    except BadLink:
        raise Http404 from None


def ended_links_told(view: View[P]) -> View[P]:
    """For views of signed links: an ended one says why, or takes its player where it led to."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except EndedLink as ended:
            if request.user.pk == ended.player.pk:
                return redirect(ended.path)
            context = {"sign_in": redirect_to_login(ended.path).url}
            return render(request, "games/mail/ended.html", context, status=410)

    return guarded


def whole_number(text: str | None) -> int | None:
    """Anything else counts as not given."""
    if text and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        return int(text)
    return None


def number_in(request: HttpRequest, *names: str) -> int | None:
    """The number that the form or else the address has under the first of these names."""
    given = (request.POST.get(name) or request.GET.get(name) for name in names)
    return whole_number(next(filter(None, given), None))


def numbers_in(request: HttpRequest, name: str) -> set[int]:
    """Those that were ticked in a form."""
    given = map(whole_number, request.POST.getlist(name)[:MOST_NUMBERS])
    return {number for number in given if number is not None}


def page_number(request: HttpRequest, name: str = "page") -> int:
    """From 1; anything that is not a page is the first one."""
    return min(max(whole_number(request.GET.get(name)) or 1, 1), LAST_PAGE)


def query_up_to(request: HttpRequest, name: str = "page") -> str:
    """The present query for a link to another page, all but the number of that page."""
    query = request.GET.copy()
    query.pop(name, None)
    query[name] = ""
    return query.urlencode()


# What is answered.


def part(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    """A part of a page, or something that is no page: without what pages show around it."""
    shown = {"user": request.user, "csrf_token": get_token(request), **context}
    return HttpResponse(render_to_string(template, shown), status=status)


def kept_offline(response: HttpResponse, where: str = "seen") -> HttpResponse:
    """A page of one's own that the service worker keeps, to be read without a connection."""
    response["Souk-Keep"] = where
    return response


@dataclass
class Outcome:
    refusal: Refused | None = None

    def __bool__(self) -> bool:
        """Whether it was done."""
        return self.refusal is None


def webhooks_to_ask_about(request: HttpRequest) -> str:
    """Where the player is asked which webhooks to keep; empty if there is nothing to ask."""
    player = viewer_of(request)
    if player and webhooks_in_question(player):
        return reverse("notices") + "#webhooks-in-question"
    return ""


@contextmanager
def told(request: HttpRequest, done: str = "") -> Iterator[Outcome]:
    """Whatever is refused inside becomes a message on the next page; else `done` does."""
    outcome = Outcome()
    try:
        yield outcome
    except Refused as refusal:
        outcome.refusal = refusal
        messages.error(request, str(refusal))
    else:
        if done:
            messages.success(request, done)


def back_to_the_waiting_room(
    request: HtmxRequest, public_id: str, refusal: Refused | None = None
) -> HttpResponse:
    """There is no board to answer with yet; the page of the game says why."""
    messages.error(request, str(refusal or _("This game has not started yet.")))
    address = reverse("table", args=[public_id])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


@contextmanager
def told_in(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Whatever is refused inside becomes an error of the form."""
    try:
        yield
    except Refused as refusal:
        form.add_error(field, str(refusal))


def opened_once(request: HttpRequest, form: BaseForm, open_game: Callable[[], Game]) -> Game:
    """The game that a form opens; the same one where the form is sent twice."""
    try:
        return open_game()
    except Used as used:
        sent = form.cleaned_data
        terms = {column: sent[name] for name, column in TERMS.items() if name in sent}
        if used.is_repeated_by(request.user.pk, sent["entropy"], terms):
            return used.game
        raise


def _game_for(viewer: Viewer, public_id: str) -> Game:
    game = tables.find_game(public_id)
    if game is None or not access.may_see(game, viewer):
        raise Http404
    return game


def _started(game: Game) -> Game:
    if game.status not in access.STARTED:
        raise Http404
    return game
