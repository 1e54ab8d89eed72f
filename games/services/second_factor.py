"""The secrets of second factors, which the database holds encrypted under a key made of SECRET_KEY.

A backup or a copy of the database alone is then not enough to compute anybody's codes. Older keys
(SECRET_KEY_FALLBACKS) still decrypt; once a day everything is encrypted under the present one.
"""

from __future__ import annotations

import logging
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from games.models import Player

log = logging.getLogger(__name__)

MARK = "encrypted:"
"""Starts what is encrypted; a secret without it was stored by an earlier release."""
SALT = "souk.second-factor"
SECRETS = ("secret", "seed")
"""Of an authenticator app, and of recovery codes."""


class CannotDecrypt(Exception):
    """It was encrypted under a key that this site does not have."""


def encrypt(text: str) -> str:
    return MARK + _cipher(settings.SECRET_KEY).encrypt(text.encode()).decode()


def decrypt(text: str) -> str:
    if not text.startswith(MARK):
        return text
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    try:
        return MultiFernet(map(_cipher, keys)).decrypt(text.removeprefix(MARK)).decode()
    except InvalidToken:
        raise CannotDecrypt from None


def is_current(data: Mapping[str, Any]) -> bool:
    """Whether all of it is encrypted under the present key."""
    present = _cipher(settings.SECRET_KEY)
    for name in SECRETS:
        text = data.get(name, MARK)
        try:
            if text != MARK:
                present.decrypt(text.removeprefix(MARK))
        except InvalidToken:
            return False
    return True


def encrypted_anew(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same under the present key; as it is where no key fits."""
    try:
        return {**data, **{name: encrypt(decrypt(data[name])) for name in SECRETS if name in data}}
    except CannotDecrypt:
        return dict(data)


def can_be_used(data: Mapping[str, Any]) -> bool:
    try:
        return all(decrypt(data[name]) for name in SECRETS if name in data)
    except CannotDecrypt:
        return False


def encrypt_all_anew() -> int:
    """After SECRET_KEY has changed: when this has run, the older key is not needed any more."""
    count = 0
    for row in Authenticator.objects.order_by("pk"):
        if is_current(row.data):
            continue
        with transaction.atomic():
            # A recovery code may be used at this moment, which is noted in the same column.
            locked = Authenticator.objects.select_for_update().filter(pk=row.pk).first()
            if locked and can_be_used(locked.data):
                locked.data = encrypted_anew(locked.data)
                locked.save(update_fields=["data"])
                count += 1
    if count:
        log.info("second factors encrypted anew", extra={"facts": {"count": count}})
    return count


def end_sessions(*, player: Player, but: str | None) -> None:
    """All but the one in which a factor was set up just now."""
    for place in UserSession.objects.filter(user=player).exclude(session_key=but or ""):
        place.end()


def _cipher(key: str) -> Fernet:
    digest = salted_hmac(SALT, "", secret=key, algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(digest))
