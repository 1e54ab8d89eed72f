"""What is wrong, in sentences."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.services.checkup import examine

SHOWN = {"ok": "ok    ", "advice": "ADVICE", "fault": "FAULT "}


class Command(BaseCommand):
    help = (
        "Look at everything that Souk stands on: versions, settings, disk, database, broker, "
        "cache, clocks, workers, mail, DNS. Exits with 1 if anything needs somebody to act."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mail", default="", metavar="ADDRESS", help="send a message there")
        parser.add_argument(
            "--dns", default="", metavar="HOST[:PORT]", help="whom to ask for names"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *, mail: str, dns: str, **options: Any) -> None:
        faults = 0
        for finding in examine(now=timezone.now(), mail_to=mail, nameserver=dns):
            faults += finding.is_fault
            if options["json"]:
                self.stdout.write(json.dumps(asdict(finding), ensure_ascii=False))
            else:
                self.stdout.write(f"{SHOWN[finding.verdict]}  {finding.about}: {finding.text}")
        if faults:
            raise CommandError(f"{faults} {'thing needs' if faults == 1 else 'things need'} you.")
