"""Records: to take away, to check, to look at."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import signatures
from games.engine.record import write
from games.forms.records import RecordForm
from games.selectors import words
from games.selectors.records import Replay
from games.selectors.rules import edition_of
from games.selectors.table import see_table
from games.selectors.telling import whole_story
from games.services import limits, signing
from games.services.notices.picture import picture as picture_of
from games.views.requests import game_for_everybody, network_of, number_in, started_game_at


@require_safe
@never_cache
def record(request: HttpRequest, public_id: str) -> HttpResponse:
    """The game in the format of records; of a running game only what is public."""
    game = started_game_at(request, public_id)
    text = signing.signed_record(game=game, now=timezone.now())
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="souk-{game.public_id}.json"'
    return response


@require_safe
@cache_control(public=True, max_age=3600)
def key(request: HttpRequest) -> HttpResponse:
    """The public half of the key that records are signed with."""
    text = signatures.as_pem(signing.public_key(now=timezone.now()))
    return HttpResponse(text, content_type="application/x-pem-file")


@require_safe
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """The board for those who show a link to it. Whoever shows links is not signed in, so
    games of named players have none."""
    game = game_for_everybody(public_id)
    response = HttpResponse(picture_of(see_table(game, None)), content_type="image/png")
    # The address of a picture carries the number of moves, so an old one is never wrong.
    response["Cache-Control"] = "public, max-age=86400"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest) -> HttpResponse:
    """Verify a record from anywhere and replay it; each step sends it along, so that nothing
    needs to be kept."""
    if request.method != "POST":
        return render(request, "games/check_record.html", {"form": RecordForm()})
    form = RecordForm(request.POST, request.FILES)
    size = len(request.POST.get("text", "")) + sum(
        file.size or 0 for _name, files in request.FILES.lists() for file in files
    )
    try:
        limits.spend(
            "check",
            now=timezone.now(),
            amount=1 + size // limits.CHECK_STEP,
            network=network_of(request),
        )
    except limits.TooOften as refusal:
        context = {"form": RecordForm(), "refusal": refusal}
        return render(request, "games/check_record.html", context, status=429)
    if not form.is_valid():
        return render(request, "games/check_record.html", {"form": form}, status=422)
    return render(request, "games/record.html", _replay(request, form.cleaned_data))


def _replay(request: HttpRequest, checked: dict[str, Any]) -> dict[str, object]:
    replay: Replay = checked["replay"]
    # A button says `move`; without one, the slider was moved.
    table = replay.table(number_in(request, "move", "slid"))
    return {
        "record": replay.record,
        "is_ours": checked["is_ours"],
        "text": write(replay.record),
        "table": table,
        "game": table.game,
        "board": table.board(),
        "edition": edition_of(table.game),
        "story": whole_story(replay.table()),
        "curves": replay.curves(table.shown),
        "description": words.position_in_words(table.observation, table.names).splitlines(),
    }
