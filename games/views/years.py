"""A year in carpets: a page for each year that is over, private until it is shared."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.models import Player
from games.selectors.hall import hall
from games.selectors.recap import Recap, is_shared, recap, years_to_see
from games.services import sharing
from games.services.notices.picture import drawn
from games.views.requests import player_named, player_of, told, viewer_of

WIDTH = 1200


@require_safe
def year(request: HttpRequest, username: str, year: int) -> HttpResponse:
    player, own, shared, found = _look(request, username, year)
    viewer = viewer_of(request)
    context = {
        "player": player,
        "own": own,
        "tab": "year",
        "recap": found,
        "chapters": [(each, hall(each.feats, viewer)) for each in found.chapters],
        "shared": shared,
        "recaps": years_to_see(player, timezone.now(), own=own),
    }
    return render(request, "games/player_year.html", context)


@require_safe
def picture(request: HttpRequest, username: str, year: int) -> HttpResponse:
    """The year as a cloth of its days, for those who show a link to it; of public games alone."""
    player, _own, shared, own_year = _look(request, username, year)
    public = recap(player, year, timezone.now(), private_too=False)
    # A year of private games alone is for own eyes, and so is its cloth.
    svg = render_to_string("games/year_picture.svg", {"recap": public or own_year})
    response = HttpResponse(drawn(svg, WIDTH), content_type="image/png")
    whose = "public" if shared and public else "private"
    response["Cache-Control"] = f"{whose}, max-age=3600"
    return response


@require_POST
@login_required
def share(request: HttpRequest, year: int) -> HttpResponse:
    """Let everybody see it, or nobody else any more."""
    player = player_of(request)
    if request.POST.get("share") == "no":
        sharing.unshare_year(player=player, year=year)
    else:
        with told(request, _("Everybody with the link can see this page now.")):
            sharing.share_year(player=player, year=year, now=timezone.now())
    return redirect("player_year", player.username, year)


def _look(request: HttpRequest, username: str, year: int) -> tuple[Player, bool, bool, Recap]:
    """For others there is nothing there until it is shared, and then only what is public."""
    player = player_named(username)
    own = viewer_of(request) == player
    shared = is_shared(player, year)
    found = recap(player, year, timezone.now(), private_too=own) if own or shared else None
    if found is None or (player.deleted_at and not own):
        raise Http404
    return player, own, shared, found
