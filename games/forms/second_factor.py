"""The forms of the second factor: allauth's, in our words."""

from __future__ import annotations

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from django.utils.translation import gettext_lazy as _

from games.forms.accounts import Labelled


class CodeForm(Labelled, base.AuthenticateForm):
    labels = {"code": _("Code")}


class CodeAgainForm(Labelled, base.ReauthenticateForm):
    labels = {"code": _("Code")}


class FirstCodeForm(Labelled, totp.ActivateTOTPForm):
    labels = {"code": _("The code that the app shows")}
