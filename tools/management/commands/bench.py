"""Run benchmarks and compare them with their targets."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tools.benchmarks import BENCHMARKS

ALL = "all"


class Command(BaseCommand):
    help = "Measures how fast Souk is: the median of several repeats, beside the target."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", choices=[*BENCHMARKS, ALL])
        parser.add_argument("--repeats", type=int, default=15, help="runs of each benchmark (15)")
        parser.add_argument("--json", action="store_true", help="write one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["repeats"] < 1:
            raise CommandError(f"--repeats is {options['repeats']}, expected 1 or more")
        chosen = BENCHMARKS if options["name"] == ALL else [options["name"]]
        results = {name: BENCHMARKS[name](options["repeats"]) for name in chosen}
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        name: [
                            {
                                "name": each.name,
                                "unit": each.unit,
                                "median": each.median,
                                "best": each.best,
                                "target": each.target,
                                "met": each.met,
                            }
                            for each in measurements
                        ]
                        for name, measurements in results.items()
                    }
                )
            )
            return
        for name, measurements in results.items():
            for each in measurements:
                bound = "at least" if each.more_is_better else "under"
                self.stdout.write(
                    f"{name}: {each.name}: {each.median:,.2f} {each.unit} "
                    f"(best {each.best:,.2f}; target {bound} {each.target:,g}: "
                    f"{'met' if each.met else 'MISSED'})"
                )
