"""Pages to learn from: rules, tutorials, help."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.models import Game
from games.reckon.running_time import LONGEST_QUIET
from games.selectors import lessons, words
from games.selectors.clock import VACATION_A_YEAR
from games.selectors.ratings import shown_rating
from games.selectors.rules import name_of, rules_as_played
from games.services.ratings import newcomer
from games.titles import TITLES
from games.views.progress import keep, progress
from games.views.requests import HtmxRequest

SEPARATOR = ","


@require_safe
def learn(request: HtmxRequest) -> HttpResponse:
    """All games that can be learned here, with a board of each."""
    done = progress(request)
    games = [
        {
            "done": done[key],
            "following": done[key] + 1,
            "total": len(lessons.scenes(key)),
            "key": key,
            "name": name_of(key),
            "about": TITLES[key].about,
            "figure": lessons.window(key),
        }
        for key in lessons.taught()
    ]
    return render(request, "games/learn.html", {"games": games, "drawn": lessons.taught()})


@require_safe
def rules(request: HtmxRequest, key: str) -> HttpResponse:
    _check(key)
    context = {
        "key": key,
        "name": name_of(key),
        "rules": TITLES[key].rules,
        "title": TITLES[key],
        "figures": lessons.figures(key),
        "drawn": [key],
        "as_played": rules_as_played(key, request.GET),
    }
    return render(request, [f"games/{key}/rules.html", "games/fallback/rules.html"], context)


@require_safe
def lesson(request: HtmxRequest, key: str, number: int = 1, played: str = "") -> HttpResponse:
    """A scene of a tutorial; what the learner did in it is part of the address."""
    _check(key)
    done = tuple(played.split(SEPARATOR)) if played else ()
    stage = lessons.stage(key, number, done, chosen=request.GET.get("choose", ""))
    if stage is None:
        raise Http404
    action = request.GET.get("action", "")
    if stage.table.may_act and action in stage.table.observation["legal"]:
        ahead = SEPARATOR.join((*done, action))
        return redirect("lesson_played", key=key, number=number, played=ahead)
    table = stage.table
    context = {
        "key": key,
        "name": name_of(key),
        "about": TITLES[key].about,
        "stage": stage,
        "done": max(progress(request)[key], number if stage.is_done else 0),
        "table": table,
        "game": table.game,
        "board": table.board(seen=stage.known if done else None),
        "description": words.position_in_words(table.observation, table.names).splitlines(),
        "url": _address(key, number, played),
        "drawn": [key],
    }
    page = "games/_lesson.html" if request.htmx else "games/lesson.html"
    response = render(request, page, context)
    if stage.is_done:
        keep(request, response, key, number)
    return response


@require_safe
def help_page(request: HtmxRequest) -> HttpResponse:
    context = {
        "paces": [pace for pace in Game.Pace if pace.increment],
        "vacation_days": VACATION_A_YEAR.days,
        "quiet_hours": LONGEST_QUIET // timedelta(hours=1),
        "mail_minutes": settings.TURN_MAIL_DELAY // timedelta(minutes=1),
        "rating_start": shown_rating(newcomer().mu),
        "games": [(key, name_of(key)) for key in lessons.taught()],
    }
    return render(request, "games/help.html", context)


def _check(key: str) -> None:
    if key not in lessons.taught():
        raise Http404


def _address(key: str, number: int, played: str) -> str:
    if played:
        return reverse("lesson_played", args=[key, number, played])
    return reverse("lesson", args=[key, number])
