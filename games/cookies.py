"""The names of the cookies of this site, and those they had before.

Over HTTPS every name starts with `__Host-`: browsers take such a cookie only from this very host
and over TLS, so that no other host of the domain can plant one. A cookie that a browser got from an
earlier release is still read, and given again under its new name; this ends with the next release,
with all of `OldNamesMiddleware` and `with_old_names`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.http import HttpRequest, HttpResponse

A_YEAR = timedelta(days=365)

ARCHIVE_VIEW, LESSONS, MESSAGES, TIME_ZONE, TRIED = (
    *("archive", "lessons", "messages"),
    *("tz", "tried"),  # the first is written by time-zone.js
)


def name_of(plain: str) -> str:
    return f"{settings.COOKIE_PREFIX}{plain}"


def set_cookie(
    response: HttpResponse, plain: str, value: str, *, max_age: timedelta | int | None
) -> None:
    response.set_cookie(
        name_of(plain),
        value,
        max_age=max_age,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class _Messages(CookieStorage):
    @property
    def cookie_name(self) -> str:  # type: ignore[override]
        return name_of(MESSAGES)


class MessageStorage(FallbackStorage):
    storage_classes = (_Messages, SessionStorage)


def with_old_names(cookies: Mapping[str, str]) -> dict[str, str]:
    """What is there under an old name alone counts under the new one."""
    prefix = settings.COOKIE_PREFIX
    if not prefix:
        return dict(cookies)
    found = dict(cookies)
    for plain in _plain_names():
        if plain in cookies and name_of(plain) not in cookies:
            found[name_of(plain)] = cookies[plain]
    return found


class OldNamesMiddleware:
    """Whoever comes with the cookies of the release before goes on as if nothing had happened.

    The old cookies stay beside the new ones: processes of that release may still answer, and an
    operator may go back to it. They go as soon as what they say is no longer true.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        came = request.COOKIES
        request.COOKIES = with_old_names(came)
        response = self.get_response(request)
        old = [plain for plain in _plain_names() if plain in came] if settings.COOKIE_PREFIX else []
        for plain in old:
            given = response.cookies.get(name_of(plain))
            if given is not None and given.value != came[plain]:
                response.delete_cookie(plain)
            elif given is None and name_of(plain) not in came and _is_for_one(response):
                _give_again(request, response, plain)
        return response


def _give_again(request: HttpRequest, response: HttpResponse, plain: str) -> None:
    age = _ages().get(plain)
    if plain == _plain(settings.SESSION_COOKIE_NAME):
        if not request.session.accessed:
            return  # an open page that asks for news; nobody looks up whose it is for this
        closes = request.session.get_expire_at_browser_close()
        age = None if closes else request.session.get_expiry_age()
    elif age is None:
        return
    set_cookie(response, plain, request.COOKIES[name_of(plain)], max_age=age)


def _is_for_one(response: HttpResponse) -> bool:
    return response.status_code < 500 and "public" not in response.get("Cache-Control", "")


def _ages() -> dict[str, timedelta | int]:
    """Those that are not soon set anew by themselves."""
    return {
        _plain(settings.CSRF_COOKIE_NAME): settings.CSRF_COOKIE_AGE,
        _plain(settings.LANGUAGE_COOKIE_NAME): settings.LANGUAGE_COOKIE_AGE,
        LESSONS: A_YEAR,
        ARCHIVE_VIEW: A_YEAR,
    }


def _plain_names() -> tuple[str, ...]:
    of_django = (
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        settings.LANGUAGE_COOKIE_NAME,
    )
    return *map(_plain, of_django), ARCHIVE_VIEW, LESSONS, MESSAGES, TIME_ZONE, TRIED


def _plain(name: str) -> str:
    return name.removeprefix(settings.COOKIE_PREFIX)
