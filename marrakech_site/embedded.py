"""What Souk keeps on disk when nobody gave it servers: one private folder."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def data_folder(path: Path) -> Path:
    """The folder, made private and proven writable, or one clear sentence."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _tighten(path)
        probe = path / f".write-probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ImproperlyConfigured(
            f"the data folder {path} cannot be written ({error.strerror}). "
            "Make it writable or name another one in SOUK_DATA."
        ) from error
    return path


def _tighten(path: Path) -> None:
    """A folder that was there already is for its owner alone from now on."""
    found = path.stat()
    if found.st_uid == os.geteuid() and found.st_mode & 0o077:
        path.chmod(0o700)


def secret_key(file: Path) -> str:
    """The key of this installation, drawn once and readable by its owner only."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(descriptor, "w") as handle:
            handle.write(secrets.token_urlsafe(64))
    key = file.read_text().strip()
    if not key:
        raise ImproperlyConfigured(f"{file} is empty. Delete it to have a new key made.")
    return key
