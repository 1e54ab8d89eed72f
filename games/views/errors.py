"""When something is wrong: one plain page that asks nothing of the request, neither its body nor
its session, because those may be what is wrong with it."""

from __future__ import annotations

import logging

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(400, _("This request makes no sense"), _("Go back and try it once more."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(403, _("This is not for you"), _("Somebody else may do this, but not you."))


def form_from_elsewhere(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page(
        403,
        _("This form is too old"),
        _("Or your browser keeps no cookies. Go back, load the page again and send it once more."),
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(
        404, _("There is nothing here"), _("The address may be wrong, or not meant for you.")
    )


def wrong_charset(request: HttpRequest) -> HttpResponse:
    return _page(415, _("This request makes no sense"), _("Souk reads UTF-8 only."))


def broken(request: HttpRequest) -> HttpResponse:
    return _page(
        500, _("Something went wrong"), _("It is our fault, and it is noted. Try again later.")
    )


def _page(status: int, title: str, text: str) -> HttpResponse:
    try:
        page = render_to_string("error.html", {"title": title, "text": text})
    except Exception:
        # A page about trouble must not be in trouble itself: no stylesheets, say.
        log.exception("the page of errors cannot be drawn")
        return HttpResponse(f"{title}\n{text}\n", status=status, content_type="text/plain")
    return HttpResponse(page, status=status)
