"""This machine: versions, settings, disk, and the files that a release brings."""

from __future__ import annotations

import shutil
import stat
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.checks import WARNING, run_checks
from packaging.requirements import InvalidRequirement, Requirement

from games.services.checkup.findings import Finding, fault, ok

OLDEST_PYTHON = (3, 11)


def examine() -> Iterator[Finding]:
    yield _python()
    yield _packages(settings.BASE_DIR / "requirements.txt")
    yield from _settings()
    yield _disk()
    yield _secret_key()
    yield _static_files()
    yield _translations()


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        return fault("versions", f"Python {version} is too old: 3.11 or newer is needed.")
    return ok("versions", f"Python {version}")


def _packages(lock: Path) -> Finding:
    """Whether what is installed is what this release was tested with."""
    wrong = []
    for line in lock.read_text().splitlines():
        try:
            wanted = Requirement(line.rstrip("\\ "))
        except InvalidRequirement:
            continue  # a hash
        if wanted.marker and not wanted.marker.evaluate():
            continue
        try:
            found = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            found = "missing"
        if not wanted.specifier.contains(found, prereleases=True):
            wrong.append(f"{wanted.name} {found} ({wanted.specifier})")
    if wrong:
        return fault(
            "versions",
            f"Not what this release was tested with: {', '.join(wrong)}. "
            "Run pip install --require-hashes -r requirements.txt",
        )
    return ok("versions", "All packages are as in requirements.txt")


def _settings() -> Iterator[Finding]:
    messages = [
        message
        for message in run_checks(include_deployment_checks=settings.PUBLIC)
        if message.level >= WARNING and not message.is_silenced()
    ]
    for message in messages:
        hint = f" {message.hint}" if message.hint else ""
        yield fault("settings", f"{message.msg}{hint} ({message.id})")
    if not messages:
        yield ok("settings", f"{'Public' if settings.PUBLIC else 'This machine only'}")


def _disk() -> Finding:
    usage = shutil.disk_usage(settings.DATA)
    free = f"{usage.free / 2**30:.1f} GB of {usage.total / 2**30:.0f} GB are free"
    if usage.free < settings.DISK_LEAST_FREE:
        return fault("disk", f"Only {free} where {settings.DATA} is.")
    return ok("disk", f"{free} in {settings.DATA}")


def _secret_key() -> Finding:
    file = settings.DATA / "secret-key"
    if not file.exists():
        return ok("secret key", "From the environment")
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        return fault("secret key", f"Others can read {file}. Run chmod 600 {file}")
    return ok("secret key", f"In {file}; keep a copy of it beside your backups")


def _static_files() -> Finding:
    names: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    if not names:
        return fault("static files", "Not collected. Run manage.py collectstatic --noinput")
    missing = [name for name in names.values() if not staticfiles_storage.exists(name)]
    if missing:
        return fault(
            "static files",
            f"{len(missing)} are gone, {missing[0]} among them. "
            "Run manage.py collectstatic --noinput",
        )
    return ok("static files", f"{len(names)} in {settings.STATIC_ROOT}")


def _translations() -> Finding:
    stale = [
        catalogue.parent.parent.name
        for folder in settings.LOCALE_PATHS
        for catalogue in sorted(Path(folder).glob("*/LC_MESSAGES/*.po"))
        if not catalogue.with_suffix(".mo").exists()
    ]
    if stale:
        return fault(
            "translations", f"Not compiled: {', '.join(stale)}. Run manage.py compilemessages"
        )
    return ok("translations", "Compiled")
