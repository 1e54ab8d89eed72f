"""The database cannot be reached, or did not answer in time: 503, wherever it was noticed.

Django turns an error into an answer at each middleware that it passes, so that not even the
outermost one sees what another one raised (the one that reads the user, say). But all of them ask
one function for that answer, and the outermost middleware puts ours before it. What lies outside
of the place where the error was raised (headers, the log) is added to this page as to any other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from django.conf import settings
from django.core.handlers import exception as handlers
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)

RETRY_AFTER = 5  # seconds
_django_answers = handlers.response_for_exception


class BusyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        handlers.response_for_exception = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


def answer(request: HttpRequest, exc: Exception) -> HttpResponse:
    if not is_outage(exc):
        return _django_answers(request, exc)
    log.warning("the database does not answer: %s", type(exc).__name__)
    language = getattr(request, "LANGUAGE_CODE", None)
    with translation.override(language or translation.get_language_from_request(request)):
        page = _page()
        page.headers["Content-Language"] = translation.get_language() or settings.LANGUAGE_CODE
    page.headers["Retry-After"] = str(RETRY_AFTER)
    page.headers["Cache-Control"] = "no-store"
    return page


def _page() -> HttpResponse:
    try:
        # Without the request: the page must not ask the database who looks at it.
        return HttpResponse(render_to_string("503.html"), status=503)
    except Exception:
        # Nor must it be in trouble itself: no stylesheets, say.
        log.exception("the page of outages cannot be drawn")
        text = _("Souk is busy")
        return HttpResponse(f"{text}\n", status=503, content_type="text/plain; charset=utf-8")


def is_outage(error: BaseException) -> bool:
    """Whether the database failed, and not the code that asked it."""
    return any(_failed_by_itself(each) for each in _with_causes(error))


def _failed_by_itself(error: BaseException) -> bool:
    if isinstance(error, OperationalError | InterfaceError):
        return True
    # A damaged file of SQLite has no class of its own; Django's own errors have no cause.
    return type(error) is DatabaseError and error.__cause__ is not None


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from: a query after a lost connection fails in other words."""
    each: BaseException | None = error
    seen: list[BaseException] = []
    while each is not None and each not in seen:
        yield each
        seen.append(each)
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
