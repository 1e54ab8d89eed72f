"""Finished games: everybody's public ones, and all of one's own."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.forms.archive import ArchiveForm
from games.models import Player
from games.selectors.archive import Cursor, Page
from games.selectors.archive import archive as page_of
from games.views.requests import player_of, query_up_to, viewer_of


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Public games, for everybody."""
    return _page(request, None)


@require_safe
@login_required
def my_archive(request: HttpRequest) -> HttpResponse:
    """The own games, private ones included."""
    return _page(request, player_of(request))


def _page(request: HttpRequest, owner: Player | None) -> HttpResponse:
    form = ArchiveForm(request.GET, owner=owner)
    wanted = form.wanted()
    cursor = Cursor.parse(request.GET.get("at", ""))
    page = page_of(wanted, viewer_of(request), cursor) if wanted else Page([], None, None)
    context = {
        "form": form,
        "page": page,
        "owner": owner,
        "hero": wanted.player if wanted else None,
        "query": query_up_to(request, "at"),
    }
    return render(request, "games/archive.html", context)
