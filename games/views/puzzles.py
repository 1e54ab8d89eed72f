"""The puzzle of the day, those of earlier days, and answers: by who is signed in, by who holds the
mail, and by visitors. Of those nothing is kept here; their browser keeps what they answered first
to the puzzle of the day, so that nobody tries as a visitor and then answers as a player."""

from __future__ import annotations

from datetime import date

from django.core.signing import BadSignature, TimestampSigner, get_cookie_signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.cookies import TRIED, name_of, set_cookie
from games.models import Player, Puzzle
from games.selectors import puzzles as found
from games.selectors.reckoning_page import points
from games.services import puzzles
from games.services.errors import Refused
from games.services.notices import links
from games.titles.places import Offer
from games.views.requests import ended_links_told, granted_by, page_number, viewer_of

# As Django signs a cookie that is called `tried`: the name is another on public sites.
TRIED_SALT = TRIED * 2
A_DAY = 24 * 60 * 60


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def today(request: HttpRequest) -> HttpResponse:
    puzzle = found.puzzle_of(found.day_of(timezone.now()))
    if puzzle is None:
        return render(request, "games/puzzle_archive.html", _archive(request) | {"none": True})
    return _page(request, puzzle, _player(request), reverse("puzzle"))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def earlier(request: HttpRequest, day: str) -> HttpResponse:
    try:
        asked = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    puzzle = found.puzzle_of(asked)
    if puzzle is None or day != asked.isoformat():
        raise Http404
    return _page(request, puzzle, _player(request), reverse("puzzle_of_day", args=[day]))


@require_safe
@never_cache
def archive(request: HttpRequest) -> HttpResponse:
    return render(request, "games/puzzle_archive.html", _archive(request))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@ended_links_told
def by_mail(request: HttpRequest, puzzle_token: str) -> HttpResponse:
    """Whoever holds the mail answers for its reader, signed in or not."""
    key, player = granted_by(links.read_puzzle, puzzle_token)
    puzzle = found.puzzle_with(key)
    if puzzle is None:
        raise Http404
    return _page(request, puzzle, player, reverse("puzzle_by_mail", args=[puzzle_token]))


def _page(request: HttpRequest, puzzle: Puzzle, player: Player | None, url: str) -> HttpResponse:
    given, refusal = request.POST.get("action", ""), None
    tried = _tried(request, puzzle)
    if player and (tried or request.method == "POST"):
        try:
            puzzles.answer(puzzle=puzzle, player=player, action=tried or given, now=timezone.now())
            response = redirect(url)
            response.delete_cookie(name_of(TRIED))
            return response
        except Refused as refused:
            refusal = refused
    stands = found.answer_of(puzzle, player) if player else None
    trial = found.trial_of(
        puzzle,
        chosen=request.GET.get("choose", ""),
        answer=stands.action if stands else "" if player else given,
    )
    now = found.day_of(timezone.now())
    context = {
        "puzzle": puzzle,
        "game": puzzle.game,
        "trial": trial,
        "offer": Offer("") if trial.is_answered else trial.offer,
        "score": found.score_of(puzzle) if trial.is_answered else None,
        "lead": points(puzzle.lead),
        "error": points(puzzle.error),
        "streak": found.streak_of(player, now) if player else 0,
        "counts": player is not None,
        "is_today": puzzle.day == now,
        "refusal": refusal,
        "url": url,
    }
    page = render(request, "games/puzzle.html", context, status=422 if refusal else 200)
    if trial.is_answered and context["is_today"] and not (player or tried):
        _remember(page, puzzle, given)
    return page


def _tried(request: HttpRequest, puzzle: Puzzle) -> str:
    """What was answered first in this browser while nobody was signed in."""
    try:
        kept = _signer().unsign(request.COOKIES.get(name_of(TRIED), ""))
    except BadSignature:
        return ""
    key, _, action = kept.partition(" ")
    return action if key == str(puzzle.pk) else ""


def _remember(page: HttpResponse, puzzle: Puzzle, action: str) -> None:
    set_cookie(page, TRIED, _signer().sign(f"{puzzle.pk} {action}"), max_age=A_DAY)


def _signer() -> TimestampSigner:
    return get_cookie_signer(salt=TRIED_SALT)


def _archive(request: HttpRequest) -> dict[str, object]:
    now, player = found.day_of(timezone.now()), _player(request)
    return {
        "listing": found.archive(player, now, page_number(request)),
        "streak": found.streak_of(player, now) if player else 0,
    }


def _player(request: HttpRequest) -> Player | None:
    """Whose answers are kept: guests may try."""
    viewer = viewer_of(request)
    return viewer if viewer and not viewer.is_guest else None
