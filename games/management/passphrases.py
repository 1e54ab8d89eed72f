"""Where the passphrase of a backup comes from: the environment, or whoever sits there."""

from __future__ import annotations

import os
import sys
from getpass import getpass

from django.core.management.base import CommandError

VARIABLE = "BACKUP_PASSPHRASE"


def given() -> str:
    return os.environ.get(VARIABLE, "")


def asked(*, twice: bool = False) -> str:
    """The passphrase from the environment, else typed at the terminal."""
    if passphrase := given():
        return passphrase
    if not sys.stdin.isatty():
        raise CommandError(f"A passphrase is needed: set {VARIABLE}, or use a terminal.")
    passphrase = getpass("Passphrase of the backup: ")
    if not passphrase:
        raise CommandError("An empty passphrase protects nothing.")
    if twice and getpass("Once more: ") != passphrase:
        raise CommandError("These were two different passphrases.")
    return passphrase
