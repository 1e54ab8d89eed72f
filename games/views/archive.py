"""Finished games: everybody's public ones, and all of one's own."""

from __future__ import annotations

from collections.abc import Generator

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language, override
from django.views.decorators.http import require_POST, require_safe

from games.cookies import ARCHIVE_VIEW, name_of, set_cookie
from games.forms.archive import ArchiveForm
from games.models import Game, Player
from games.selectors import export as exports
from games.selectors.archive import NEWEST, Cursor, Page, Wanted
from games.selectors.archive import archive as page_of
from games.selectors.facets import facets, years
from games.selectors.gallery import drawing_of, exhibits, picture_address, small_picture
from games.selectors.players import names_like
from games.services import limits, signing, table_talk
from games.services.errors import Refused
from games.views.chips import Chips, archive_filters, archive_orders
from games.views.downloads import download
from games.views.requests import (
    HtmxRequest,
    game_at,
    network_of,
    part,
    player_of,
    query_up_to,
    signed_in,
    started_game_at,
    told,
    viewer_of,
)

VIEWS = ("gallery", "list")
IN_SIGHT = 3
"""So many groups of filters even on a phone, where the others fold away."""
A_YEAR = 365 * 24 * 3600
FORMS = {"ndjson": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Public games, for everybody."""
    return _page(request, None)


@require_safe
@login_required
def my_archive(request: HttpRequest) -> HttpResponse:
    """The own games, private ones included."""
    return _page(request, player_of(request))


@require_safe
def export(request: HttpRequest, form: str) -> HttpResponseBase:
    return _export(request, None, form)


@require_safe
@login_required
def export_mine(request: HttpRequest, form: str) -> HttpResponseBase:
    return _export(request, player_of(request), form)


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Names that begin like what is being written, as choices for its field."""
    written = request.GET.get("player") or request.GET.get("opponent") or ""
    return part(request, "games/_names.html", {"names": names_like(written[:30])})


@require_safe
def small_board(request: HttpRequest, public_id: str, drawing: str) -> HttpResponse:
    """The small picture of a finished game; its address says how it is drawn, so it never
    changes. What only some may see is kept by their own browsers alone."""
    game = started_game_at(request, public_id)
    if game.status != Game.Status.OVER or not drawing_of(game.ruleset):
        raise Http404
    if drawing != drawing_of(game.ruleset):
        return redirect(picture_address(game))
    response = HttpResponse(small_picture(game), content_type="image/svg+xml")
    whose = "public" if game.visibility == Game.Visibility.PUBLIC else "private"
    response["Cache-Control"] = f"{whose}, max-age={A_YEAR}, immutable"
    return response


@require_POST
@signed_in
def star(request: HtmxRequest, public_id: str) -> HttpResponse:
    """A star for a game to keep, or no more."""
    game = game_at(request, public_id)
    starred = False
    with told(request) as done:
        starred = table_talk.star(game=game, player=player_of(request), now=timezone.now())
    if request.htmx and done:
        return part(request, "games/_star.html", {"game": game, "starred": starred})
    return redirect(game)


def _page(request: HttpRequest, owner: Player | None) -> HttpResponse:
    form = ArchiveForm(request.GET, owner=owner)
    wanted = form.wanted()
    order = wanted.order if wanted else NEWEST
    cursor = Cursor.parse(request.GET.get("at", ""), order)
    page = page_of(wanted, viewer_of(request), cursor) if wanted else Page([], None, None)
    chips = Chips(request.GET, "view")
    narrowed = wanted or Wanted(player=owner, private_too=owner is not None)
    filters = archive_filters(
        chips, narrowed, facets(narrowed), years(narrowed), own=owner is not None
    )
    wished = request.GET.get("view") or request.COOKIES.get(name_of(ARCHIVE_VIEW))
    shown = wished if wished in VIEWS else VIEWS[0]
    context = {
        "form": form,
        "page": page,
        "exhibits": exhibits(page.rows),
        "owner": owner,
        "groups": filters[:IN_SIGHT],
        "further": filters[IN_SIGHT:],
        "unfolded": any(request.GET.get(field.name) for field in form.visible_fields())
        or any(chip.on for group in filters[IN_SIGHT:] for chip in group.chips),
        "orders": archive_orders(chips, narrowed.ruleset),
        "narrowed": bool(set(chips.query) - {"order"}),
        "exported": chips.query.urlencode(),
        "shown": shown,
        "views": [(view, Chips(request.GET, "view").leading_to("view", view)) for view in VIEWS],
        "hero": wanted.player if wanted else None,
        "query": query_up_to(request, "at"),
    }
    response = render(request, "games/archive.html", context)
    if request.GET.get("view") in VIEWS:
        set_cookie(response, ARCHIVE_VIEW, shown, max_age=A_YEAR)
    return response


def _export(request: HttpRequest, owner: Player | None, form: str) -> HttpResponseBase:
    if form not in FORMS:
        raise Http404
    wanted = ArchiveForm(request.GET, owner=owner).wanted()
    try:
        limits.spend("export", now=timezone.now(), network=network_of(request))
    except Refused:
        return render(request, "429.html", status=429)
    lines = download(_lines(wanted, form, get_language() or "en"))
    if lines is None:
        return render(request, "429.html", status=429)
    response = StreamingHttpResponse(lines, content_type=FORMS[form])
    response["Content-Disposition"] = f'attachment; filename="souk-games.{form}"'
    response["Cache-Control"] = "no-store"
    return response


def _lines(wanted: Wanted | None, form: str, language: str) -> Generator[str]:
    """Written while they are sent, in the language of whoever asked."""
    if wanted is None:
        return
    with override(language):
        if form == "csv":
            yield from exports.table(wanted)
            return
        games = exports.games_to_export(wanted, moves=True)
        for record in signing.signed_records(games=games, now=timezone.now()):
            yield f"{record}\n"
