"""What Django and allauth say about sign-ins and accounts, for the security log."""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as factors
from allauth.mfa.models import Authenticator
from django.contrib.auth import signals as auth
from django.dispatch import receiver
from django.http import HttpRequest

from games.models import Player
from games.security_log import note
from games.selectors.accounts import owner_of


@receiver(auth.user_logged_in)
def _signed_in(user: Player, **_: Any) -> None:
    note("sign_in", player=user.pk)


@receiver(auth.user_logged_out)
def _signed_out(user: Player | None, **_: Any) -> None:
    if user is not None:
        note("sign_out", player=user.pk)


@receiver(auth.user_login_failed)
def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """By the number of the account, if there is one: what was typed may be a password."""
    event = "sign_in_failed"
    if getattr(request, "axes_locked_out", False):
        event = "sign_in_locked"
    elif request is not None and request.user.is_authenticated:
        event = "reauthentication_failed"
    note(event, player=_meant(credentials))


def _meant(credentials: dict[str, Any]) -> int | None:
    name, email = str(credentials.get("username") or ""), str(credentials.get("email") or "")
    if "\0" in name + email:
        return None
    if name:
        return Player.objects.filter(username__iexact=name).values_list("pk", flat=True).first()
    player = owner_of(email) if email else None
    return player.pk if player else None


@receiver([account.login_code_rejected, account.password_reset_code_rejected])
@receiver(account.email_verification_code_rejected)
def _wrong_code(user: Player | None = None, **_: Any) -> None:
    note("code_failed", player=user.pk if user else None)


@receiver(factors.authentication_failed)
def _wrong_factor(user: Player, **_: Any) -> None:
    note("factor_failed", player=user.pk)


@receiver(factors.authenticator_added)
def _factor_added(user: Player, authenticator: Authenticator, **_: Any) -> None:
    note("factor_added", player=user.pk, factor=authenticator.type)


@receiver(factors.authenticator_removed)
def _factor_removed(user: Player, authenticator: Authenticator, **_: Any) -> None:
    note("factor_removed", player=user.pk, factor=authenticator.type)


@receiver(factors.authenticator_reset)
def _factor_reset(user: Player, authenticator: Authenticator, **_: Any) -> None:
    note("factor_reset", player=user.pk, factor=authenticator.type)


@receiver([account.password_changed, account.password_set])
def _password_changed(user: Player, **_: Any) -> None:
    note("password_changed", player=user.pk)


@receiver(account.password_reset)
def _password_reset(user: Player, **_: Any) -> None:
    note("password_reset", player=user.pk)


@receiver(account.email_changed)
def _address_changed(
    user: Player, from_email_address: EmailAddress | None = None, **_: Any
) -> None:
    if from_email_address is not None:
        note("address_changed", player=user.pk)
