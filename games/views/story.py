"""A finished game, looked back at."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.selectors.beginnings import known_path, same_beginning
from games.selectors.gallery import exhibits
from games.selectors.lobby import row_of
from games.selectors.story import story_of
from games.views.requests import started_game_at, viewer_of


@require_safe
def story(request: HttpRequest, public_id: str) -> HttpResponse:
    game = started_game_at(request, public_id)
    viewer = viewer_of(request)
    row = row_of(game, viewer)
    told = story_of(game)
    if told is None:
        return redirect(game)
    own = row.mine
    context = {
        "story": told,
        "game": game,
        "own": own,
        "beginning": same_beginning(game, own) if own else None,
        "explored": known_path(game),
        "others": [seat.player for seat in row.others if own],
        "exhibit": exhibits([row])[0],
    }
    return render(request, "games/story.html", context)
