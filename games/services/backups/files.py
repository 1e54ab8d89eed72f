"""A backup as a file: lines of text, compressed, sealed on request."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from games.services.backups.sealing import MAGIC, CannotOpen, OpeningReader, SealingWriter

STANDARD = "-"
GZIP = b"\x1f\x8b"


@contextmanager
def writing(name: str, passphrase: str | None) -> Iterator[IO[str]]:
    """Lines for a new file that appears under its name only when it is complete."""
    with ExitStack() as stack:
        file = sys.stdout.buffer if name == STANDARD else stack.enter_context(_replacing(name))
        if passphrase:
            file = stack.enter_context(io.BufferedWriter(SealingWriter(file, passphrase)))
        packed = stack.enter_context(gzip.GzipFile(fileobj=file, mode="wb", mtime=0))
        yield stack.enter_context(io.TextIOWrapper(packed, "utf-8", newline="\n"))


@contextmanager
def reading(name: str, ask: Callable[[], str]) -> Iterator[Iterator[str]]:
    """The lines of a backup; a passphrase is asked for only if it needs one."""
    with ExitStack() as stack:
        file: io.BufferedReader[Any] = (
            sys.stdin.buffer  # type: ignore[assignment]
            if name == STANDARD
            else stack.enter_context(Path(name).open("rb"))
        )
        if file.peek(len(MAGIC)).startswith(MAGIC):
            file.read(len(MAGIC))
            file = io.BufferedReader(OpeningReader(file, ask()))
        if not file.peek(len(GZIP)).startswith(GZIP):
            raise CannotOpen(f"{name} is not a backup of Souk.")
        yield _lines(stack.enter_context(gzip.GzipFile(fileobj=file)))


def _lines(packed: gzip.GzipFile) -> Iterator[str]:
    try:
        yield from io.TextIOWrapper(packed, "utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError):
        raise CannotOpen("The file is damaged or cut off.") from None


@contextmanager
def _replacing(name: str) -> Iterator[IO[bytes]]:
    partial = Path(f"{name}.partial")
    # Seeds and addresses are in it: for its owner only, whoever else may look around here.
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, name)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
