"""What no view should have to think of: bytes that no browser sends, and caches on the way."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.cache import patch_cache_control

from games.views import errors

from .bodies import is_utf_8

NUL = "\0"


class EdgeMiddleware:
    """No database stores a NUL, and no page of ours is sent in anything but UTF-8."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = _refusal(request)
        if response is None:
            _without_nul(request)
            response = self.get_response(request)
        if "public" not in response.get("Cache-Control", ""):
            _keep_private(request, response)
        return response


def _refusal(request: HttpRequest) -> HttpResponse | None:
    if not is_utf_8(request.META.get("CONTENT_TYPE", "")):
        return errors.wrong_charset(request)
    if NUL in request.path_info:
        return errors.not_found(request, Http404())
    return None


def _keep_private(request: HttpRequest, response: HttpResponse) -> None:
    """What a player sees is kept by nobody, after signing out not even by the browser itself:
    except for the pages that the service worker keeps on purpose, and forgets at the sign-out.

    A session is enough, also that of a guest: whose it is need not be looked up for this.
    """
    if "Souk-Keep" in response:
        response["Cache-Control"] = "private, no-cache"
    elif _has_session(request, response):
        response["Cache-Control"] = "private, no-store"
    else:
        # Every page says who is signed in, also if that is nobody.
        patch_cache_control(response, private=True)


def _has_session(request: HttpRequest, response: HttpResponse) -> bool:
    name = settings.SESSION_COOKIE_NAME
    return bool(request.COOKIES.get(name)) or name in response.cookies


def _without_nul(request: HttpRequest) -> None:
    """What has a NUL in it was not given."""
    request.COOKIES = {name: text for name, text in request.COOKIES.items() if NUL not in text}
    if "%00" in request.META.get("QUERY_STRING", ""):
        clean = QueryDict(mutable=True)
        for name, texts in request.GET.lists():
            if NUL not in name and (given := [text for text in texts if NUL not in text]):
                clean.setlist(name, given)
        request.GET = clean  # type: ignore[assignment]
