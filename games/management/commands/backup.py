"""Everything in the database as one file."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from games.management import passphrases
from games.services.backups.dump import write_backup
from games.services.backups.files import STANDARD, writing


class Command(BaseCommand):
    help = (
        "Write all that the database holds into FILE (- is standard output) while the site runs. "
        f"The file is encrypted with --encrypt, and always where {passphrases.VARIABLE} is set: "
        "the seeds of running games are in it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--encrypt", action="store_true", help="ask for a passphrase")

    def handle(self, *, file: str, encrypt: bool, **options: Any) -> None:
        passphrase = passphrases.asked(twice=True) if encrypt else passphrases.given()
        try:
            with writing(file, passphrase) as lines:
                counts = write_backup(lines, apps=apps, now=timezone.now())
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        except DatabaseError as error:
            raise CommandError(f"The database cannot be read: {error}") from error
        said = (
            f"{sum(counts.values()):,} rows, among them {counts['games.game']:,} games and "
            f"{counts['games.move']:,} moves{'' if passphrase else ' (not encrypted)'}"
        )
        (self.stderr if file == STANDARD else self.stdout).write(said)
