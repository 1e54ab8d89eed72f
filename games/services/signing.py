"""The key of the site: made once, kept in the database that all its processes share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from games import signatures
from games.engine.record import Record, signed_part, write
from games.models import Game, SigningKey
from games.selectors.records import record_of

RECORDS = "records"


def public_key(*, now: datetime) -> Ed25519PublicKey:
    """What anybody can check our records with."""
    return signatures.public_key_of(_private_key(now))


def signed_record(*, game: Game, now: datetime) -> str:
    """The record of a game that has started, as this site vouches for it."""
    return next(signed_records(games=[game], now=now))


def signed_records(*, games: Iterable[Game], now: datetime) -> Iterator[str]:
    """One after the other, as they are asked for."""
    key = _private_key(now)
    for game in games:
        plain = record_of(game)
        signature = signatures.sign(key, signed_part(write(plain)))
        yield write(replace(plain, signature=signature))


def is_ours(*, record: Record, text: str | bytes, now: datetime) -> bool | None:
    """Whether the signature holds; None where there is none of our own."""
    if record.signature is None:
        return None
    ours = public_key(now=now)
    if record.signature.key != signatures.name_of(ours):
        return None
    return signatures.holds(record.signature, ours, signed_part(text))


def _private_key(now: datetime) -> bytes:
    key, _ = SigningKey.objects.get_or_create(
        name=RECORDS, defaults={"private": signatures.new_private_key(), "made_at": now}
    )
    return bytes(key.private)
