"""The reckoning of a finished game: what was luck, what was given, and where it was decided."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.engine.record import read
from games.forms.records import RecordForm
from games.models import Game, Reckoning
from games.selectors import reckoning_page
from games.selectors.mistakes import Trial, mistakes_of
from games.selectors.reckonings import (
    is_held_back,
    is_judged,
    reckoning_of,
    reckoning_of_record,
)
from games.services import limits, reckonings
from games.services.errors import Refused
from games.titles.places import Offer
from games.views.requests import (
    HtmxRequest,
    network_of,
    number_in,
    own_seat_at,
    part,
    player_of,
    signed_in,
    started_game_at,
    told,
    viewer_of,
)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def reckoning(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Look at it, or have it made."""
    game = started_game_at(request, public_id)
    address = reverse("reckoning", args=[public_id])
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(address)
        with told(request):
            reckonings.ask(
                game=game,
                now=timezone.now(),
                player=player_of(request),
                network=network_of(request),
            )
        return redirect(address)
    over = game.status == Game.Status.OVER
    row = reckoning_of(game) if over else None
    context = {"game": game, "may_be_judged": over and is_judged(game.ruleset)}
    return _answer(request, row, address, context, game=game)


@require_http_methods(["GET", "HEAD", "POST"])
def reckon_record(request: HtmxRequest) -> HttpResponse:
    """Have a record from outside judged; who comes back to this address may bring another."""
    if request.method != "POST":
        return redirect("check_record")
    form = RecordForm(request.POST, request.FILES)
    refusal: Refused | None = None
    try:
        limits.spend("reckoning", now=timezone.now(), network=network_of(request))
        if form.is_valid():
            record = form.cleaned_data["replay"].record
            row = reckonings.ask_for_record(record=record, now=timezone.now())
            return redirect("record_reckoning", digest=row.digest)
    except limits.TooOften as refused:
        context = {"form": RecordForm(), "refusal": refused}
        return render(request, "games/check_record.html", context, status=429)
    except Refused as refused:
        refusal = refused
    context = {"form": RecordForm() if refusal else form, "refusal": refusal}
    return render(request, "games/check_record.html", context, status=409 if refusal else 422)


@require_safe
@never_cache
def record_reckoning(request: HtmxRequest, digest: str) -> HttpResponse:
    """Of a record from outside, for whoever has its address."""
    row = reckoning_of_record(digest)
    if row is None:
        raise Http404
    return _answer(request, row, reverse("record_reckoning", args=[digest]), {})


@require_safe
@never_cache
@signed_in
def mistakes(request: HtmxRequest, public_id: str, number: int) -> HttpResponse:
    """The decisions that cost the viewer most, one after the other, to be tried again."""
    own = own_seat_at(request, public_id)
    game = started_game_at(request, public_id)
    row = reckoning_of(game) if game.status == Game.Status.OVER else None
    if row is None or not row.moments or own.number is None:
        raise Http404
    subject = reckoning_page.subject_of(game)
    page = reckoning_page.page(subject, row, None)
    moves = mistakes_of(page, own.number)
    if not 1 <= number <= len(moves):
        raise Http404
    move = moves[number - 1]
    trial = Trial(
        subject=subject,
        moment=page.reckoned.moments[move - 1],
        number=move,
        chosen=request.GET.get("choose", ""),
        answer=request.GET.get("action", ""),
    )
    context = {
        "game": game,
        "trial": trial,
        # The picture is for looking at, once there is an answer.
        "offer": Offer("") if trial.is_answered else trial.offer,
        "number": number,
        "total": len(moves),
        "following": number + 1 if number < len(moves) else None,
        "url": reverse("mistakes", args=[public_id, number]),
    }
    return render(request, "games/mistakes.html", context)


def _answer(
    request: HtmxRequest,
    row: Reckoning | None,
    address: str,
    context: dict[str, object],
    game: Game | None = None,
) -> HttpResponse:
    context |= {"row": row, "address": address, "state": row.state if row else ""}
    if request.htmx:
        if row is None or row.state != request.GET.get("state"):
            return HttpResponseClientRefresh()
        return part(request, "games/_reckoning_progress.html", context)
    if row and is_held_back(row):
        context["is_held_back"] = True
    elif row and row.moments:
        subject = (
            reckoning_page.subject_of(game)
            if game
            else reckoning_page.subject_of_record(read(row.record.encode()))
        )
        page = context["page"] = reckoning_page.page(subject, row, number_in(request, "move"))
        context["has_mistakes"] = game is not None and _own_mistakes(request, game, page)
    return render(request, "games/reckoning.html", context)


def _own_mistakes(request: HtmxRequest, game: Game, page: reckoning_page.Page) -> bool:
    viewer = viewer_of(request)
    own = [seat.number for seat in game.seats.all() if viewer and seat.player_id == viewer.pk]
    return any(number is not None and mistakes_of(page, number) for number in own)
