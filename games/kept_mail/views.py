"""The mail that was kept instead of sent, for somebody alone on a laptop. Never public."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import wraps
from typing import Any

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp, csp_update
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from games.kept_mail import folder

PAGE = 25
SHOWN_IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
CID = re.compile(r"\bcid:([^\"'\s>)]+)", re.IGNORECASE)

# A mail brings styles of its own and pictures of its own, and nothing else.
MAIL_POLICY = {
    "default-src": [NONE],
    "img-src": [SELF, "data:"],
    "style-src": [UNSAFE_INLINE],
    "form-action": [NONE],
    "base-uri": [NONE],
    "frame-ancestors": [SELF],
    "sandbox": ["allow-top-navigation-by-user-activation"],
}
PART_POLICY = {"default-src": [NONE], "sandbox": True}

View = Callable[..., HttpResponse]


def while_mail_is_kept(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not folder.is_readable(request):
            raise Http404
        try:
            return view(request, *args, **kwargs)
        except FileNotFoundError as error:
            raise Http404 from error

    return require_safe(never_cache(guarded))


def with_policy(change: Any) -> Callable[[View], View]:
    """A content policy of the view's own; csp's types know no view that takes arguments."""
    return change


@while_mail_is_kept
def mailbox(request: HttpRequest) -> HttpResponse:
    page = Paginator(folder.mail_ids(), PAGE).get_page(request.GET.get("page"))
    mails = [_summary(mail_id, folder.read_headers(mail_id)) for mail_id in page]
    return render(request, "games/mailbox.html", {"mails": mails, "page": page})


@while_mail_is_kept
@with_policy(csp_update({"frame-src": [SELF]}))
def mail(request: HttpRequest, mail_id: str) -> HttpResponse:
    message = folder.read_mail(mail_id)
    attachments = [
        {"number": number, "name": part.get_filename() or part.get_content_type()}
        for number, part in folder.parts(message)
        if part.get_content_disposition() == "attachment"
    ]
    context = {
        "mail": _summary(mail_id, message),
        "text": _body(message, "plain"),
        "has_html": message.get_body(("html",)) is not None,
        "attachments": attachments,
    }
    return render(request, "games/mailbox_mail.html", context)


@while_mail_is_kept
@xframe_options_sameorigin
@with_policy(csp(MAIL_POLICY))
def mail_html(request: HttpRequest, mail_id: str) -> HttpResponse:
    message = folder.read_mail(mail_id)
    html = _body(message, "html")
    if not html:
        raise Http404
    pictures = {
        part["Content-ID"].strip("<>"): reverse("mailbox_part", args=[mail_id, number])
        for number, part in folder.parts(message)
        if part["Content-ID"]
    }
    shown = CID.sub(lambda cid: pictures.get(cid[1], ""), html)
    return HttpResponse(f'<!doctype html><base target="_top">{shown}')


@while_mail_is_kept
@with_policy(csp(PART_POLICY))
def mail_part(request: HttpRequest, mail_id: str, number: int) -> HttpResponse:
    part = dict(folder.parts(folder.read_mail(mail_id))).get(number)
    if part is None:
        raise Http404
    content = part.get_payload(decode=True)
    if part.get_content_type() in SHOWN_IMAGES:
        return HttpResponse(content, content_type=part.get_content_type())
    response = HttpResponse(content, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = "attachment"
    return response


def _summary(mail_id: str, message: EmailMessage) -> dict[str, Any]:
    date = message["Date"]
    return {
        "id": mail_id,
        "subject": message["Subject"] or "",
        "to": message["To"] or "",
        "sender": message["From"] or "",
        "at": _with_zone(date.datetime) if date else None,
    }


def _body(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    return body.get_content() if body is not None else ""


def _with_zone(at: datetime) -> datetime:
    """A date that says `-0000` is in UTC, and does not say where it was written."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
