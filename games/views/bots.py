"""What players ask of bots at a table: sit down, give the seat back, give a hint."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.selectors import table as tables
from games.selectors.bots import hint_at, hints_offered
from games.services import bots, lobby, stand_ins
from games.services.errors import Refused
from games.views.requests import (
    BEFORE_THE_START,
    HtmxRequest,
    back_to_the_waiting_room,
    game_at,
    network_of,
    part,
    player_of,
    signed_in,
    told,
)


@require_POST
@signed_in
def fill(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Start an open game with bots in the seats nobody came for."""
    game = game_at(request, public_id)
    with told(request):
        lobby.fill_with_bots(
            game_id=game.pk,
            player=player_of(request),
            now=timezone.now(),
            network=network_of(request),
        )
    return redirect(game)


@require_POST
@signed_in
def take_back(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Sit down again where a bot plays on."""
    game = game_at(request, public_id)
    with told(request, _("Welcome back: you decide again from here on.")):
        stand_ins.take_back(game_id=game.pk, player=player_of(request), now=timezone.now())
    return redirect(game)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@signed_in
def hint(request: HtmxRequest, public_id: str) -> HttpResponse:
    """Ask what the strongest bot would do, and look whether it has answered."""
    refusal = None
    if request.method == "POST":
        game = game_at(request, public_id)
        if game.status in BEFORE_THE_START:
            return back_to_the_waiting_room(request, public_id)
        try:
            bots.ask_for_hint(game_id=game.pk, player=player_of(request), now=timezone.now())
        except Refused as refused:
            refusal = refused
    if not request.htmx:
        if refusal:
            messages.error(request, str(refusal))
        return redirect(reverse("table", args=[public_id]) + "#hint")
    game = game_at(request, public_id)
    if game.status in BEFORE_THE_START:
        return back_to_the_waiting_room(request, public_id)
    table = tables.see_table(game, player_of(request))
    context = {
        "game": game,
        "hints_offered": hints_offered(table),
        "hint": hint_at(table),
        "refusal": refusal,
        "url": game.get_absolute_url(),
        "is_fresh": True,
    }
    return part(request, "games/_hint.html", context)
