"""Opening, finding, joining and leaving games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from games import bell
from games.forms.lobby import BOTS, FilterForm, NewGameForm
from games.forms.words import JoinForm, WordForm
from games.languages import for_everybody
from games.models import LUCKY_WORD, Game
from games.reckon.codes import code_of
from games.selectors import lobby as lists
from games.selectors.access import seated
from games.selectors.invitation import picture_of, sentence_of
from games.selectors.players import find_player
from games.selectors.rules import edition_of
from games.selectors.stamps import room_stamp, stamps_of
from games.services import empty_seats
from games.services import lobby as service
from games.services.errors import Refused
from games.titles.completeness import offered
from games.titles.manifest import Title
from games.views.requests import (
    game_at,
    network_of,
    opened_once,
    page_number,
    player_of,
    query_up_to,
    told,
    told_in,
)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    form = FilterForm(request.GET)
    filters = form.filters()
    return render(
        request,
        "games/lobby.html",
        {
            "form": form,
            "open": lists.open_games(request.user, filters, page_number(request)),
            "running": lists.running_games(request.user, filters, page_number(request, "watch")),
            "open_query": query_up_to(request),
            "watch_query": query_up_to(request, "watch"),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_game(request: HttpRequest) -> HttpResponse:
    titles = offered()
    if not titles:
        raise Http404
    wished = request.POST.get("game") or request.GET.get("game")
    title = next((each for each in titles if each.key == wished), titles[0])
    data = request.POST if request.method == "POST" else None
    challenge = _challenge(request)
    form = NewGameForm(data, title=title, preset=request.POST.get("preset", ""), initial=challenge)
    if form.is_valid():
        with told_in(form):
            return redirect(opened_once(request, form, partial(_open, request, title, form)))
    form.commit_again(now=timezone.now())
    context = {"form": form, "title": title, "titles": titles, "challenge": bool(challenge)}
    return render(request, "games/new_game.html", context, status=422 if form.is_bound else 200)


def _open(request: HttpRequest, title: Title, form: NewGameForm) -> Game:
    player, now, network = player_of(request), timezone.now(), network_of(request)
    wishes = form.cleaned_data
    if form.preset == BOTS:
        return service.play_against_bots(
            player=player,
            ruleset=title.key,
            opponents=wishes["size"] - 1,
            level=wishes["fill_level"],
            edition=wishes["edition"],
            entropy=wishes["entropy"],
            drawn_word=wishes["drawn_word"],
            ticket=wishes["ticket"],
            now=now,
            network=network,
        )
    return service.create_game(
        creator=player, ruleset=title.key, now=now, network=network, **wishes
    )


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """The invitation: everybody who has the address reads it, signed in or not."""
    game = game_at(request, public_id)
    if game.status != Game.Status.OPEN or request.user.pk in seated(game):
        return redirect(game)
    if not request.user.is_authenticated or request.user.is_guest:
        return render(request, "games/join.html", _terms(game, request))
    form = JoinForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with told_in(form):
            service.join_game(
                game_id=game.pk,
                player=request.user,
                entropy=form.cleaned_data["entropy"],
                drawn_word=form.cleaned_data["drawn_word"],
                now=timezone.now(),
            )
            return redirect(game)
    context = {"form": form, **_terms(game, request)}
    return render(request, "games/join.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    return _go(request, public_id, service.leave_game, _("You left the game."))


@require_POST
@login_required
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    return _go(request, public_id, service.cancel_game, _("The game is cancelled."))


def _go(request: HttpRequest, public_id: str, go: Callable[..., None], said: str) -> HttpResponse:
    """Home, or back to the waiting room with why not."""
    game = game_at(request, public_id)
    with told(request, said) as done:
        go(game_id=game.pk, player=player_of(request), now=timezone.now())
    return redirect("home" if done else game)


@require_POST
@login_required
def decline(request: HttpRequest, public_id: str) -> HttpResponse:
    game = game_at(request, public_id)
    with told(request, _("You declined the invitation.")):
        service.decline_invitation(game_id=game.pk, player=player_of(request), now=timezone.now())
    return redirect("home")


@require_POST
@login_required
def open_to_all(request: HttpRequest, public_id: str) -> HttpResponse:
    game = game_at(request, public_id)
    with told(request, _("Anyone can take the empty seat now.")):
        empty_seats.open_to_all(game_id=game.pk, player=player_of(request), now=timezone.now())
    return redirect(game)


@require_POST
@login_required
def invite_another(request: HttpRequest, public_id: str) -> HttpResponse:
    game = game_at(request, public_id)
    with told(request, _("The invitation is on its way.")):
        name = request.POST.get("invited", "").strip()[:150]
        invited = find_player(name) if name else None
        if invited is None:
            raise Refused(_("Nobody here is called %(names)s.") % {"names": name or "…"})
        empty_seats.invite_another(
            game_id=game.pk,
            player=player_of(request),
            invited=invited,
            now=timezone.now(),
            network=network_of(request),
        )
    return redirect(game)


@require_POST
@login_required
def fill_a_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    game = game_at(request, public_id)
    with told(request, _("A bot took the empty seat.")):
        empty_seats.fill_a_seat(
            game_id=game.pk,
            player=player_of(request),
            now=timezone.now(),
            network=network_of(request),
        )
    return redirect(game)


@require_POST
@login_required
def rematch(request: HttpRequest, public_id: str) -> HttpResponse:
    game = game_at(request, public_id)
    form = WordForm(request.POST)
    with told(request):
        if not form.is_valid():
            raise Refused(LUCKY_WORD.message)
        again = partial(
            service.rematch,
            game_id=game.pk,
            player=player_of(request),
            now=timezone.now(),
            network=network_of(request),
            **form.cleaned_data,
        )
        return redirect(opened_once(request, form, again))
    return redirect(game)


def waiting_room(request: HttpRequest, game: Game) -> HttpResponse:
    """The table page of a game that has not started, or never will."""
    return render(request, "games/waiting_room.html", _terms(game, request))


@require_safe
@never_cache
def room(request: HttpRequest, public_id: str) -> HttpResponse:
    """What an open waiting room asks: 204 while nobody comes or goes, else a fresh page."""
    game = game_at(request, public_id)
    topic = bell.game_topic(game.public_id)
    if game.status == Game.Status.OPEN and request.GET.get("stamp") == stamps_of([topic])[topic]:
        return HttpResponse(status=204)
    return HttpResponseClientRefresh()


def _terms(game: Game, request: HttpRequest) -> dict[str, object]:
    row = lists.row_of(game, request.user)
    invitations = lists.unanswered(row)
    declined = sum(1 for each in invitations if each.declined_at)
    address = request.build_absolute_uri(for_everybody(reverse("join", args=[game.public_id])))
    return {
        "stamp": room_stamp(game.public_id, game.status, len(row.seats), declined),
        "game": game,
        "row": row,
        "edition": edition_of(game),
        "invitations": invitations,
        "address": address,
        "code": code_of(address),
        "sentence": sentence_of(game),
        "board": picture_of(game),
    }


def _challenge(request: HttpRequest) -> dict[str, object]:
    """The form as it stands when somebody challenges the player in the address."""
    name = request.GET.get("challenge", "")
    rival = find_player(name) if name else None
    if rival is None or not rival.is_active:
        return {}
    return {"visibility": Game.Visibility.NAMED, "invited": rival.username, "size": 2}
