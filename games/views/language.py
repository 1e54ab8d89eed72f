"""The choice of a language, which every page offers."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from games import languages
from games.services.accounts import change_settings
from games.views.requests import viewer_of


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember the language, in the account or else in a cookie, and go back to the page."""
    language = request.POST.get("language", "")
    back = _back(request)
    if language not in dict(settings.LANGUAGES):
        return HttpResponseRedirect(back)
    if player := viewer_of(request):
        change_settings(player=player, changes={"language": language}, now=timezone.now())
    response = HttpResponseRedirect(_in_language(back, language))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _back(request: HttpRequest) -> str:
    given = request.POST.get("next", "")
    own = {request.get_host()}
    return given if url_has_allowed_host_and_scheme(given, own) else reverse("home")


def _in_language(address: str, language: str) -> str:
    """An address that names a language names this one; others are the same in each."""
    parts = urlsplit(address)
    prefix, _ = languages.split(parts.path)
    if prefix:
        parts = parts._replace(path=languages.addresses(parts.path)[language])
    return urlunsplit(parts)
