"""When something is wrong: one plain page that asks nothing of the request, neither its body nor
its session, because those may be what is wrong with it."""

from __future__ import annotations

import logging
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from games.views.requests import made_for_whoever_asks

log = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 400, _("This request makes no sense"), _("Go back and try it once more."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(
        request,
        403,
        _("This is not for you"),
        _("Somebody else may do this, but not you."),
        sign_in=True,
    )


def form_from_elsewhere(request: HttpRequest, reason: str = "") -> HttpResponse:
    answer = _page(
        request,
        403,
        _("This form is too old"),
        _("Or your browser keeps no cookies. Go back, load the page again and send it once more."),
    )
    if made_for_whoever_asks(request):
        # For the script of the page, which tries once more; no other site can read it.
        answer.headers["X-CSRFToken"] = get_token(request)
    return answer


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(
        request,
        404,
        _("There is nothing here"),
        _("The address may be wrong, or not meant for you."),
        sign_in=True,
    )


def wrong_charset(request: HttpRequest) -> HttpResponse:
    return _page(request, 415, _("This request makes no sense"), _("Souk reads UTF-8 only."))


def factor_unreadable(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        503,
        _("Your second factor cannot be checked"),
        _("It is our fault, and it is noted. Please tell whoever runs this site."),
    )


def broken(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        500,
        _("Something went wrong"),
        _("It is our fault, and it is noted. Try again later."),
    )


def _page(
    request: HttpRequest, status: int, title: str, text: str, *, sign_in: bool = False
) -> HttpResponse:
    # Known only if somebody has asked before who this is.
    visitor = getattr(request, "_cached_user", None)
    context = {
        "status": status,
        "title": title,
        "text": text,
        "theme": getattr(visitor, "theme", "system"),
    }
    if sign_in and not getattr(visitor, "pk", None):
        query = urlencode({"next": request.path})
        context["sign_in"] = f"{reverse('account_login')}?{query}"
    try:
        page = render_to_string("error.html", context)
    except Exception:
        # A page about trouble must not be in trouble itself: no stylesheets, say.
        log.exception("the page of errors cannot be drawn")
        return HttpResponse(f"{title}\n{text}\n", status=status, content_type="text/plain")
    return HttpResponse(page, status=status)
