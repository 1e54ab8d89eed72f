"""Recompute ratings and statistics from the moves."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.services import stats

EVERY = 1000


class Command(BaseCommand):
    help = (
        "Computes ratings and statistics from the moves of all finished games and compares them "
        "with what is stored; exits with 1 if anything differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--rebuild", action="store_true", help="replace what is stored by what was computed"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rebuild"]:
            count = stats.rebuild(progress=self._progress)
            self.stdout.write(f"{count} finished games counted")
            return
        ledger = stats.recount(progress=self._progress)
        differences = stats.differences(ledger)
        for line in differences:
            self.stdout.write(line)
        if differences:
            raise CommandError(f"{len(differences)} numbers differ; --rebuild sets them right")
        self.stdout.write(f"{len(ledger.games)} finished games: every number follows")

    def _progress(self, count: int) -> None:
        if count % EVERY == 0:
            self.stderr.write(f"{count} games…")
