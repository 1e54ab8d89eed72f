"""What search engines ask for."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games import languages
from games.selectors import lessons

A_DAY = 24 * 3600


@require_safe
@cache_control(public=True, max_age=A_DAY)
def sitemap(request: HttpRequest) -> HttpResponse:
    """The pages that say something to everybody, each in every language."""
    paths = [
        *(reverse(name) for name in ("home", "lobby", "archive", "numbers", "learn", "help")),
        *(
            reverse(name, args=[key])
            for name in ("rules", "lesson_start", "leaderboard")
            for key in lessons.taught()
        ),
    ]
    pages = [(path, languages.addresses(path)) for path in map(_plain, paths)]
    context = {"site": settings.SITE_URL, "pages": pages}
    return HttpResponse(
        render_to_string("games/sitemap.xml", context), content_type="application/xml"
    )


@require_safe
@cache_control(public=True, max_age=A_DAY)
def robots(request: HttpRequest) -> HttpResponse:
    context = {"site": settings.SITE_URL}
    return HttpResponse(render_to_string("games/robots.txt", context), content_type="text/plain")


def _plain(path: str) -> str:
    return languages.split(path)[1]
