"""What the middleware makes of a request, and what an address asks for."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django_htmx.middleware import HtmxDetails

from games.models import Game, Player
from games.selectors import access
from games.selectors import table as tables


class HtmxRequest(HttpRequest):
    htmx: HtmxDetails


def player_of(request: HttpRequest) -> Player:
    """Who asks, in a view for those who are signed in."""
    assert isinstance(request.user, Player)
    return request.user


def game_at(request: HttpRequest, public_id: str) -> Game:
    """The game with its seats and moves; for those who may not see it there is none."""
    game = tables.find_game(public_id)
    if game is None or not access.may_see(game, request.user):
        raise Http404
    return game
