"""From the first page to the first move: a game against bots, with or without account."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.forms.play_now import PlayNowForm
from games.models import Game, Player
from games.selectors.guests import KEPT_AS
from games.services import guests, lobby
from games.services.limits import TooOften
from games.views.requests import network_of, opened_once, told_in


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = PlayNowForm(data, initial=request.GET.dict())
    status = 422 if form.is_bound else 200
    if form.is_valid():
        with told_in(form):
            try:
                return redirect(opened_once(request, form, partial(_start, request, form)))
            except TooOften:
                status = 429
                raise
    form.commit_again(now=timezone.now())
    return render(request, "games/play_now.html", {"form": form}, status=status)


def _start(request: HttpRequest, form: PlayNowForm) -> Game:
    """A visitor becomes a guest, for as long as the cookie lasts; whoever is refused does not."""
    now = timezone.now()
    with transaction.atomic():
        player = request.user
        if not isinstance(player, Player):
            # At the same moment as the game: that tells which game a guest came in by.
            player = guests.welcome_guest(now=now)
        game = lobby.play_against_bots(
            player=player,
            ruleset=form.cleaned_data["game"],
            opponents=form.cleaned_data["opponents"],
            level=form.cleaned_data["level"],
            edition=form.edition,
            entropy=form.cleaned_data["entropy"],
            drawn_word=form.cleaned_data["drawn_word"],
            ticket=form.cleaned_data["ticket"],
            now=now,
            network=network_of(request),
        )
    if player.is_guest:
        # Written each time, so that the cookie lasts as long again.
        request.session[KEPT_AS] = player.pk
    return game
