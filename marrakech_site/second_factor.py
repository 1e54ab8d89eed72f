"""The second factor (allauth's own): for whoever wants one, and for everybody of the staff."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.internal.flows.login import (
    get_authentication_records,
    record_authentication,
)
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext_lazy as _
from django_htmx.http import HttpResponseClientRedirect

from games import languages
from games.models import Player
from games.selectors.clock import zone_of
from games.services import limits, second_factor
from games.services.notices.letters import language_of
from games.views import errors

log = logging.getLogger(__name__)

FOR_STAFF = ("/admin/", "/moderation/", "/accounts/2fa/recovery-codes/")
"""The last are second factors themselves, and allauth shows them for a password."""
METHOD = "mfa"
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
GOOD_FOR = timedelta(hours=12)
"""So long a session of the staff lives on one code."""


class Adapter(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": _("Whoever is of the staff keeps the second factor."),
        "cannot_generate_recovery_codes": _("Turn on the second factor first."),
        "incorrect_code": _("This is not the code that is shown now."),
        "unverified_email": _("Confirm your e-mail address first."),
    }

    def get_totp_label(self, user: Player) -> str:
        """The name, not the address: others may see the screen of a phone."""
        return user.username

    def build_totp_svg(self, url: str) -> str:
        picture = BytesIO()
        segno.make(url, micro=False).save(picture, kind="svg", xmldecl=False, border=2)
        return picture.getvalue().decode()

    def encrypt(self, text: str) -> str:
        return second_factor.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return second_factor.decrypt(encrypted_text)
        except second_factor.CannotDecrypt:
            log.error("a second factor is encrypted under a key that is not known; see doctor")
            raise ImmediateHttpResponse(errors.factor_unreadable(self.request)) from None

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        return not (settings.STAFF_SECOND_FACTOR and authenticator.user.is_staff)


class StaffMiddleware:
    """Nobody of the staff does more than play before the second factor is set up, and shown.

    A session may be older than the factor, and be somebody else's: each shows it for itself.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (
            not settings.STAFF_SECOND_FACTOR
            or not request.path_info.startswith(FOR_STAFF)
            or not getattr(request.user, "is_staff", False)
        ):
            return self.get_response(request)
        if not get_adapter().is_mfa_enabled(request.user, FACTORS):
            messages.info(request, _("Set up a second factor first: the staff needs one."))
            return redirect("mfa_activate_totp")
        if not _was_shown(request):
            return _ask_for_it(request)
        return self.get_response(request)


def _was_shown(request: HttpRequest) -> bool:
    since = time.time() - GOOD_FOR.total_seconds()
    records = get_authentication_records(request, request.user)
    return any(record["method"] == METHOD and record["at"] > since for record in records)


def _ask_for_it(request: HttpRequest) -> HttpResponse:
    """Nothing that was sent is done later by itself: it has not been checked yet where it came
    from. Whoever sent it comes back to the page with the form."""
    htmx = getattr(request, "htmx", False)
    back = request.get_full_path()
    if htmx or request.method not in ("GET", "HEAD"):
        messages.info(request, _("Show your second factor first, and then do it again."))
        back = _page_of_the_form(request)
    address = f"{reverse('mfa_reauthenticate')}?{urlencode({REDIRECT_FIELD_NAME: back})}"
    return HttpResponseClientRedirect(address) if htmx else redirect(address)


def _page_of_the_form(request: HttpRequest) -> str:
    page = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure()):
        return urlsplit(page)._replace(scheme="", netloc="").geturl()
    return reverse("home")


@receiver(authenticator_added)
def a_new_factor_holds_for_all_sessions(
    request: HttpRequest, user: Player, authenticator: Authenticator, **_: Any
) -> None:
    """Who sets it up has shown it. Every other session was begun without it, perhaps by somebody
    else, and ends."""
    if authenticator.type in FACTORS:
        record_authentication(request, user, METHOD, id=authenticator.pk, type=authenticator.type)
        second_factor.end_sessions(player=user, but=request.session.session_key)


@receiver(authentication_failed)
def wrong_codes_are_told(request: HttpRequest, user: Player, **_: Any) -> None:
    """Somebody who types codes has the password or the mailbox already: the fifth wrong one within
    a day sends the owner an email, and none of those after it another on that day."""
    now = timezone.now()
    try:
        limits.spend("wrong_code", sender=user.pk, now=now)
    except limits.TooOften:
        with suppress(limits.TooOften):
            limits.spend("wrong_code_email", sender=user.pk, now=now)
            _warn(user)


def _warn(player: Player) -> None:
    """In the words of the owner, whatever page the codes were typed on."""
    prefix = get_script_prefix()
    set_script_prefix(languages.for_everybody(prefix))
    try:
        with translation.override(language_of(player)), timezone.override(zone_of(player)):
            get_account_adapter().send_notification_mail("mfa/email/wrong_codes", player)
    finally:
        set_script_prefix(prefix)
