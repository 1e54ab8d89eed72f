"""How far somebody has come in the tutorials: kept in the account, or else in this browser.

A cookie and no session, so that whoever only leafs through lessons leaves no row behind.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse

from games.cookies import A_YEAR, LESSONS, name_of, set_cookie
from games.selectors import lessons
from games.services.accounts import keep_lesson
from games.views.requests import viewer_of, whole_number


def progress(request: HttpRequest) -> dict[str, int]:
    """By game, how many scenes were played to their end."""
    viewer = viewer_of(request)
    known: Mapping[str, object]
    if viewer and not viewer.is_guest:
        known = viewer.lessons or {}
    else:
        words = request.COOKIES.get(name_of(LESSONS), "").split(".")
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
    words = (f"{game}-{count}" for game, count in {**done, key: number}.items() if count)
    set_cookie(response, LESSONS, ".".join(words), max_age=A_YEAR)
