"""Files that only a passphrase opens, written and read in pieces of one size.

The key comes from the passphrase by scrypt. Each piece is sealed with AES-256-GCM; its nonce
holds its number and whether it is the last, so pieces cannot be left out, put in another order
or cut off unnoticed (the STREAM construction).
"""

from __future__ import annotations

import io
import secrets
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"souk-sealed-1\n"
SALT_BYTES = 16
PREFIX_BYTES = 7
PIECE = 64 * 1024
TAG_BYTES = 16
COST = 2**17


class CannotOpen(Exception):
    """Not the passphrase, or not the file, that it was."""


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    scrypt = Scrypt(salt=salt, length=32, n=COST, r=8, p=1)
    return AESGCM(scrypt.derive(passphrase.encode()))


def _nonce(prefix: bytes, number: int, last: bool) -> bytes:
    return prefix + number.to_bytes(4, "big") + bytes([last])


class SealingWriter(io.RawIOBase):
    """What is written here arrives sealed in `file`, which stays open."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        salt, self._prefix = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(PREFIX_BYTES)
        self._file, self._cipher = file, _cipher(passphrase, salt)
        self._waiting, self._number = bytearray(), 0
        file.write(MAGIC + salt + self._prefix)

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self._waiting += memoryview(data)  # type: ignore[arg-type]
        # The last piece is known as such only at the end: one is always held back.
        while len(self._waiting) > PIECE:
            self._seal(bytes(self._waiting[:PIECE]), last=False)
            del self._waiting[:PIECE]
        return len(memoryview(data))  # type: ignore[arg-type]

    def close(self) -> None:
        if not self.closed:
            self._seal(bytes(self._waiting), last=True)
        super().close()

    def _seal(self, piece: bytes, *, last: bool) -> None:
        nonce = _nonce(self._prefix, self._number, last)
        self._file.write(self._cipher.encrypt(nonce, piece, None))
        self._number += 1


class OpeningReader(io.RawIOBase):
    """What was sealed in `file`, after its MAGIC; `CannotOpen` where it is not what it was."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        salt, self._prefix = file.read(SALT_BYTES), file.read(PREFIX_BYTES)
        if len(self._prefix) < PREFIX_BYTES:
            raise CannotOpen("The file is cut off.")
        self._file, self._cipher, self._number = file, _cipher(passphrase, salt), 0
        self._ahead = file.read(PIECE + TAG_BYTES)
        self._opened = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        if not self._opened and self._ahead:
            self._opened = self._open()
        taken = self._opened[: len(view)]
        view[: len(taken)] = taken
        self._opened = self._opened[len(taken) :]
        return len(taken)

    def _open(self) -> bytes:
        piece, self._ahead = self._ahead, self._file.read(PIECE + TAG_BYTES)
        try:
            opened = self._cipher.decrypt(
                _nonce(self._prefix, self._number, not self._ahead), piece, None
            )
        except InvalidTag:
            if self._number:
                raise CannotOpen("The file is damaged or cut off.") from None
            raise CannotOpen("The passphrase is wrong, or the file is damaged.") from None
        self._number += 1
        return opened
