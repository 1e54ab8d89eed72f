"""The language and the time of whoever asks, for the length of a request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import get_script_prefix, set_script_prefix
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from games import languages
from games.cookies import TIME_ZONE, name_of
from games.models import Player
from games.selectors.accounts import time_zones
from games.selectors.guests import guest_of
from games.services.accounts import remember_guessed_time_zone

POLLED = "/changes/"
FOR_GUESTS = ("/", "/next/", "/play/")
TABLES = "/g/"


@contextmanager
def preferences(request: HttpRequest) -> Iterator[None]:
    """Speak the language of whoever asks, and show the time of that place."""
    if not isinstance(request.user, Player):
        yield
        return
    player = request.user
    guess = request.COOKIES.get(name_of(TIME_ZONE))
    if guess and not player.time_zone:
        remember_guessed_time_zone(player=player, guess=guess, now=timezone.now())
    if player.language in dict(settings.LANGUAGES):
        # Not undone here: LanguageMiddleware names the language in the response, and
        # ends it with the request.
        translation.activate(player.language)
        request.LANGUAGE_CODE = player.language
    zone = ZoneInfo(player.time_zone) if player.time_zone in time_zones() else None
    with timezone.override(zone):
        yield


class LanguageMiddleware:
    """The language that the address starts with; else that of the cookie or of the browser.

    Pages know nothing of it: the language is taken off the address before a view is looked
    for, and put before every address that is made for this page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        prefix, request.path_info = languages.split(request.path_info)
        request.LANGUAGE_CODE = prefix or translation.get_language_from_request(request)
        root = get_script_prefix()
        with translation.override(request.LANGUAGE_CODE):
            set_script_prefix(f"{root}{prefix}/" if prefix else root)
            try:
                response = self.get_response(request)
            finally:
                set_script_prefix(root)
            response.headers.setdefault("Content-Language", translation.get_language())
        if not prefix:
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


class GuestMiddleware:
    """Somebody without account who plays against bots is a player, but only where that matters:
    everywhere else, and for everything that an account is needed for, a visitor like any other.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if path in FOR_GUESTS or path.startswith(TABLES):
            visitor = request.user
            request.user = SimpleLazyObject(  # type: ignore[assignment]
                lambda: (
                    visitor if visitor.is_authenticated else guest_of(request.session) or visitor
                )
            )
        return self.get_response(request)


@receiver(user_logged_out)
def _remember_sign_out(request: HttpRequest | None, **_: Any) -> None:
    if request is not None:
        request.signed_out = True  # type: ignore[attr-defined]


class SignedOutMiddleware:
    """Whoever signs out leaves nothing behind in the browser: no page that was kept to be read
    offline, and no notices on this device any more. The same holds for whoever was signed out
    from elsewhere, and comes back with the cookie of a session that is no more."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if getattr(request, "signed_out", False) or _has_ended(request):
            response["Clear-Site-Data"] = '"cache", "storage"'
        return response


def _has_ended(request: HttpRequest) -> bool:
    """Only if the session was asked for; then Django takes its cookie away, too."""
    return bool(request.COOKIES.get(settings.SESSION_COOKIE_NAME)) and request.session.is_empty()


class PlayerPreferencesMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.endswith(POLLED):
            # Asked every other second, mostly for nothing: the view finds out who asks
            # only when there is something to say.
            return self.get_response(request)
        player = request.user
        if isinstance(player, Player) and player.is_suspended(timezone.now()):
            # All sessions ended with the suspension; this one was begun at the same moment.
            logout(request)
        with preferences(request):
            return self.get_response(request)
