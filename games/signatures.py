"""Signatures under records: Ed25519, by keys that are named after their fingerprint."""

from __future__ import annotations

from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)

from games.engine.record import Signature


def new_private_key() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_key_of(private: bytes) -> Ed25519PublicKey:
    return Ed25519PrivateKey.from_private_bytes(private).public_key()


def as_pem(public: Ed25519PublicKey) -> str:
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def from_pem(text: bytes) -> Ed25519PublicKey:
    """The key of a file, or `ValueError`."""
    key = load_pem_public_key(text)
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("this is not an Ed25519 key")
    return key


def name_of(public: Ed25519PublicKey) -> str:
    return sha256(public.public_bytes_raw()).hexdigest()


def sign(private: bytes, message: bytes) -> Signature:
    key = Ed25519PrivateKey.from_private_bytes(private)
    return Signature(name_of(key.public_key()), key.sign(message).hex())


def holds(signature: Signature, public: Ed25519PublicKey, message: bytes) -> bool:
    """Whether this key, and no other, signed just this."""
    if signature.key != name_of(public):
        return False
    try:
        public.verify(bytes.fromhex(signature.ed25519), message)
    except InvalidSignature:
        return False
    return True
