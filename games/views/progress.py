"""How far somebody has come in the tutorials: kept in the account, or else in this browser.

A cookie and no session, so that whoever only leafs through lessons leaves no row behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.selectors import lessons
from games.services.accounts import keep_lesson
from games.views.requests import viewer_of, whole_number

COOKIE = "lessons"
KEPT_FOR = timedelta(days=365)


def progress(request: HttpRequest) -> dict[str, int]:
    """By game, how many scenes were played to their end."""
    viewer = viewer_of(request)
    known: Mapping[str, object]
    if viewer and not viewer.is_guest:
        known = viewer.lessons or {}
    else:
        words = request.COOKIES.get(COOKIE, "").split(".")
        known = dict(word.split("-", 1) for word in words if "-" in word)
    counts = {key: whole_number(str(known.get(key, ""))) or 0 for key in lessons.taught()}
    return {key: min(count, len(lessons.scenes(key))) for key, count in counts.items()}


def keep(request: HttpRequest, response: HttpResponse, key: str, number: int) -> None:
    """The scene of this number is done."""
    done = progress(request)
    if number <= done.get(key, 0):
        return
    viewer = viewer_of(request)
    if viewer and not viewer.is_guest:
        keep_lesson(player=viewer, key=key, number=number)
        return
    response.set_cookie(
        COOKIE,
        ".".join(f"{game}-{count}" for game, count in {**done, key: number}.items() if count),
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
