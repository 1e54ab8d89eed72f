"""The second factor (allauth's own): for whoever wants one, and for everybody of the staff."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import segno
from allauth.account.internal.flows.login import (
    get_authentication_records,
    record_authentication,
)
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from games.models import Player

FOR_STAFF = ("/admin/", "/moderation/")
METHOD = "mfa"
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


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
            back = urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})
            return redirect(f"{reverse('mfa_reauthenticate')}?{back}")
        return self.get_response(request)


def _was_shown(request: HttpRequest) -> bool:
    records = get_authentication_records(request, request.user)
    return any(record["method"] == METHOD for record in records)


@receiver(authenticator_added)
def whoever_sets_it_up_has_shown_it(
    request: HttpRequest, user: Player, authenticator: Authenticator, **_: Any
) -> None:
    if authenticator.type in FACTORS:
        record_authentication(request, user, METHOD, id=authenticator.pk, type=authenticator.type)
