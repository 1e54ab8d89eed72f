"""Players' own pages."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.selectors import moderation, players
from games.selectors.archive import Wanted, archive
from games.selectors.gallery import exhibits
from games.selectors.recap import years_to_see
from games.selectors.stats import head_to_head, profile_of
from games.services import blocks
from games.views.requests import player_named, player_of, told, viewer_of

SHOWN = 10
PICTURED = 6


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    player = player_named(username)
    if player.username != username:
        return redirect(player, permanent=True)
    viewer = viewer_of(request)
    own = viewer == player
    last = archive(Wanted(player=player, private_too=own), viewer)
    return render(
        request,
        "games/profile.html",
        {
            "player": player,
            "own": own,
            "blocked": viewer is not None and players.has_blocked(viewer, player),
            "in_play": players.games_in_play(player),
            "profile": profile_of(player, private_too=own),
            "together": head_to_head(viewer, player) if viewer and not own else None,
            "last": last.rows[:SHOWN],
            "exhibits": exhibits(last.rows[:PICTURED]),
            "acts": moderation.acts_on(player) if own else [],
            "recaps": years_to_see(player, timezone.now(), own=own),
        },
    )


@require_POST
@login_required
def block(request: HttpRequest, username: str) -> HttpResponse:
    player = player_named(username)
    with told(request, _("You and %(name)s keep apart now.") % {"name": player}):
        blocks.block_player(blocker=player_of(request), blocked=player, now=timezone.now())
    return redirect(player)


@require_POST
@login_required
def unblock(request: HttpRequest, username: str) -> HttpResponse:
    player = player_named(username)
    blocks.unblock_player(blocker=player_of(request), blocked=player)
    messages.success(request, _("You no longer block %(name)s.") % {"name": player})
    return redirect(player)
