"""A backup becomes the database."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.management import passphrases
from games.services.backups.files import reading
from games.services.backups.load import CannotRestore, is_in_use, read_backup
from games.services.backups.sealing import CannotOpen
from games.services.checkup.findings import first_line


class Command(BaseCommand):
    help = (
        "Put all that a backup holds into the database, SQLite or PostgreSQL, whichever it came "
        "from, and bring it up to date. Stop the site first. All of it is restored, or nothing."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="- is standard input")
        parser.add_argument("--replace", action="store_true", help="whatever is in the database")

    def handle(self, *, file: str, replace: bool, **options: Any) -> None:
        try:
            if is_in_use() and not replace:
                raise CommandError(
                    "There are players in this database, or tables of something else. To lose "
                    "all of it and have what is in the backup instead, say --replace."
                )
            with reading(file, passphrases.asked) as lines:
                counts = read_backup(lines)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror or error}.") from error
        except (CannotOpen, CannotRestore) as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        except DatabaseError as error:
            raise CommandError(
                f"The database did not take it, and is as it was: {first_line(error)}"
            ) from error
        call_command("migrate", verbosity=0)
        # What was kept of games is about other games now.
        cache.clear()
        self.stdout.write(
            f"{sum(counts.values()):,} rows restored, among them {counts['games.game']:,} games "
            f"and {counts['games.move']:,} moves. `manage.py verify --all` proves them."
        )
