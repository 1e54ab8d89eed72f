"""The key by which push services know this site: given by the environment, or made once."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from games.models import SigningKey

PUSH = "push"
BYTES = 32


def push_key(*, now: datetime) -> Vapid02:
    return Vapid02.from_raw(urlsafe_b64encode(_private(now)))


def public_key(*, now: datetime) -> str:
    """What a browser subscribes with."""
    public = push_key(now=now).public_key
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def push_key_of(given: str) -> bytes | None:
    """The key that an operator gave, if any; `ValueError` if it is none."""
    if not given:
        return None
    private = urlsafe_b64decode(given + "=" * (-len(given) % 4))
    if len(private) != BYTES or not any(private):
        raise ValueError("a key has 32 bytes")
    return private


def _private(now: datetime) -> bytes:
    if given := push_key_of(settings.VAPID_PRIVATE_KEY):
        return given
    key, _ = SigningKey.objects.get_or_create(
        name=PUSH, defaults={"private": _new(), "made_at": now}
    )
    return bytes(key.private)


def _new() -> bytes:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(BYTES, "big")
