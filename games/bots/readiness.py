"""Where compiled code is kept, and whether it is there yet. Imports nothing heavy."""

from __future__ import annotations

import fcntl
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version as release
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"
MARK = "complete"
APP = Path(__file__).parents[1]
COMPILED_SOURCES = (
    "bots/*.py",
    "engine/*.py",
    "titles/*.py",
    "titles/*/rules/*.py",
    "titles/*/bots/*.py",
)


@cache
def version() -> str:
    """A hash of the source of all compiled code, because Numba compares one file at a time."""
    digest = hashlib.sha256(f"{sys.version} {release('numba')}".encode())
    for pattern in COMPILED_SOURCES:
        paths = sorted(APP.glob(pattern))
        if not paths:
            raise FileNotFoundError(f"no source of compiled code is at {APP / pattern}")
        for path in paths:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def keep_compiled_in(folder: Path) -> None:
    """Call before the first bot plays; a folder in the environment is taken instead of this."""
    base = Path(os.environ.get(VARIABLE) or folder)
    if base.name != version():
        os.environ[VARIABLE] = str(base / version())


def ready() -> bool:
    """Whether loading compiled code takes a moment instead of a minute."""
    return _mark().exists()


@contextmanager
def compiling() -> Iterator[None]:
    """Only one process of this machine compiles; the others wait and take what it made."""
    folder = _mark().parent
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        _mark().touch()


def _mark() -> Path:
    return Path(os.environ.get(VARIABLE) or Path(__file__).parent / "__pycache__") / MARK
