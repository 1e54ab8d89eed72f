"""How allauth and axes behave on this site."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.forms.names import check_name
from games.models import Player
from games.security_log import note
from games.selectors.accounts import address_is_taken
from games.selectors.guests import KEPT_AS, STAYS, guest_of
from games.services.accounts import change_password, release_name, sign_out_elsewhere
from games.services.guests import come_in, ready_to_sign_up
from games.services.locks import lock_games_of
from games.services.membership import inviter_of, may_sign_up
from games.services.notices import written
from games.services.revocation import revoke_access
from games.services.sessions import mark_of
from games.views.moderation import suspended
from games.views.requests import webhooks_to_ask_about

from .clients import client_ip

KEPT_OF_A_NAME = 255
MISMATCH = _("This name or address and this password do not belong together.")


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("This name is taken."),
        "username_blacklisted": _("This name cannot be used."),
        "username_password_mismatch": MISMATCH,
        "email_password_mismatch": MISMATCH,
        "incorrect_code": _("This is not the code we sent last."),
        "incorrect_password": _("This is not your password."),
        "enter_current_password": _("This is not your password."),
        "duplicate_email": _("This is your address already."),
        "same_as_current": _("This is your address already."),
        "too_many_login_attempts": _("Too many attempts. Please try again later."),
        "rate_limited": _("Please wait a few seconds before you try again."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if not shallow:
            release_name(name=username, now=timezone.now())
        check_name(username)
        return super().clean_username(username, shallow)

    def new_user(self, request: HttpRequest) -> Player:
        """Somebody new goes on in the language of the page, in which mail is written too, and
        with the games that were played as a guest."""
        guest = guest_of(request.session)
        player: Player = (
            ready_to_sign_up(guest, now=timezone.now()) if guest else super().new_user(request)
        )
        player.language = get_language() or ""
        player.invited_by = inviter_of(request.session)
        return player

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request.session, timezone.now())

    def pre_login(self, request: HttpRequest, user: Player, **how: Any) -> HttpResponse | None:
        """Whoever proved to be a suspended player learns why, and until when."""
        if user.is_suspended(timezone.now()):
            note("sign_in_refused", player=user.pk)
            return suspended(request, user)
        response: HttpResponse | None = super().pre_login(request, user, **how)
        return response

    def login(self, request: HttpRequest, user: Player) -> None:
        """Every way of signing in ends here."""
        guest = guest_of(request.session)
        stays = request.session.pop(STAYS, True)
        super().login(request, user)
        request.session.pop(KEPT_AS, None)
        request.session.set_expiry(settings.SESSION_COOKIE_AGE if stays else 0)
        come_in(player=user, guest=guest)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_ip(request)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        # Who is locked out guessed nothing. Counting it would let one stranger use up the
        # attempts of the whole account.
        if getattr(request, "axes_locked_out", False):
            self._rollback_login_failed_rl_usage()

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """The pages are the same for every address; only its owner learns whether it is used."""
        address: EmailAddress = emailconfirmation.email_address
        if address_is_taken(address.email, by_other_than=address.user_id):
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """With a changed address, whoever had the old one has no way in any more."""
        user, now = email_address.user, timezone.now()
        replaced = EmailAddress.objects.filter(user=user).exclude(pk=email_address.pk)
        try:
            with transaction.atomic():
                changes = replaced.exists()
                if changes:
                    lock_games_of(user)  # games before their player, as everywhere
                confirmed = super().confirm_email(request, email_address)
                if changes and confirmed:
                    revoke_access(player=user, now=now)
                return confirmed
        except IntegrityError:  # somebody else confirmed the same address just now
            return False

    def set_password(self, user: Player, password: str) -> None:
        """The player's own browser goes on being told, others do not."""
        own = self.request.user.pk == user.pk
        change_password(
            player=user,
            password=password,
            now=timezone.now(),
            keep_device_of=mark_of(self.request.session) if own else "",
        )

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            note("sign_in_refused", player=None)
            raise

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """By the outbox: no page waits for a mail server, or fails with it."""
        context = {**context, "email": email, "site_url": settings.SITE_URL}
        message = self.render_mail(template_prefix, email, context)
        assert isinstance(message, EmailMultiAlternatives)
        html = str(message.alternatives[0][0]) if message.alternatives else ""
        now = timezone.now()
        written.write_to(
            address=email,
            content=written.Content(str(message.subject), str(message.body), html),
            expires_at=now + timedelta(seconds=settings.CODES_LAST) if "code" in context else None,
            now=now,
        )

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return webhooks_to_ask_about(request) or super().get_login_redirect_url(request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return webhooks_to_ask_about(request) or reverse("settings")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        if not self.request.user.is_authenticated:
            return reverse("account_login")
        return webhooks_to_ask_about(self.request) or reverse("settings")


class SessionsAdapter(DefaultUserSessionsAdapter):
    """*Sign out everywhere else*: what was added in the other sessions goes with them."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        request = context.request
        sign_out_elsewhere(
            player=request.user,
            sessions=sessions,
            keep_device_of=mark_of(request.session),
            now=timezone.now(),
        )


def attempted_name(request: HttpRequest | None, credentials: dict[str, Any] | None) -> str:
    """What somebody tried to sign in as: the same in any letter case, and no longer than axes can
    keep it (small letters may be more of them)."""
    tried = credentials or {}
    return str(tried.get("username") or tried.get("email") or "").casefold()[:KEPT_OF_A_NAME]


def shown_name(player: Player) -> str:
    return str(player)
