"""The proof that the dice of a finished game were fair."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.selectors import moderation
from games.selectors.promise import what_is_proved
from games.selectors.proof import is_published
from games.selectors.proof import proof as proof_of
from games.selectors.rules import edition_of
from games.views.requests import game_at


@require_safe
def proof(request: HttpRequest, public_id: str) -> HttpResponse:
    """Seed, words and every roll; of a game that still runs, only what is public."""
    game = game_at(request, public_id)
    shown = proof_of(game) if is_published(game) else None
    context = {
        "game": game,
        "edition": edition_of(game),
        "proof": shown,
        "proved": list(what_is_proved(game, list(game.seats.all()))),
        "acts": moderation.verdicts_on(game),
    }
    return render(request, "games/proof.html", context)
