"""From the first page to the first move: a game against bots, with or without account."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.forms.play_now import PlayNowForm
from games.models import Player
from games.selectors.guests import KEPT_AS
from games.services import guests, lobby
from games.views.requests import told_in


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = PlayNowForm(data, initial=request.GET.dict())
    if form.is_valid():
        if not ratelimit.consume(request, action="play_now"):
            return ratelimit.respond_429(request)
        with told_in(form):
            game = lobby.play_against_bots(
                player=_player(request),
                ruleset=form.cleaned_data["game"],
                opponents=form.cleaned_data["opponents"],
                level=form.cleaned_data["level"],
                now=timezone.now(),
            )
            return redirect(game)
    status = 422 if form.is_bound else 200
    return render(request, "games/play_now.html", {"form": form}, status=status)


def _player(request: HttpRequest) -> Player:
    """Whoever asks; a visitor becomes a guest, for as long as the cookie lasts."""
    if not request.user.is_authenticated:
        guest = guests.welcome_guest(now=timezone.now())
    elif request.user.is_guest:
        guest = request.user
    else:
        return request.user
    # Written each time, so that the cookie lasts as long again.
    request.session[KEPT_AS] = guest.pk
    return guest
