"""Measure how well colluding pairs are found, on players about whom everything is known."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.titles import TITLES
from tools.bots import has_tools


class Command(BaseCommand):
    help = (
        "Plays games among players some of whom favour each other, and counts how many of these "
        "pairs are found, and how many honest ones are named."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        able = [key for key in TITLES if has_tools(key, "simulated_players")]
        parser.add_argument("game", choices=able)
        parser.add_argument("--seats", type=int, default=4, help="players of one game (4)")
        parser.add_argument("--players", type=int, default=48, help="of one community (48)")
        parser.add_argument("--pairs", type=int, default=8, help="who favour each other (8)")
        parser.add_argument("--rate", type=float, default=0.1, help="of their decisions (0.1)")
        parser.add_argument("--games", type=int, default=20, help="that a pair plays (20)")
        parser.add_argument("--communities", type=int, default=4)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        key, seats, players = options["game"], options["seats"], options["players"]
        if seats not in TITLES[key].seats or seats < 3 or players % seats:
            raise CommandError("--seats is 3 or more, and --players a multiple of it")
        if 2 * options["pairs"] > players:
            raise CommandError("there are not so many --pairs among these --players")
        bots.keep_compiled_in(settings.DATA / "compiled")
        from games.bots import judge
        from tools.bots.simulated_players import (
            ERROR_RATES,
            SimulatedCommunity,
            measure_detection,
        )

        found = colluding = accused = honest = 0
        for number in range(options["communities"]):
            seen = measure_detection(
                SimulatedCommunity(key, seats, players),
                options["pairs"],
                options["games"],
                options["rate"],
                options["seed"] * 1000 + number,
            )
            found, colluding = found + seen.found, colluding + seen.friends
            accused, honest = accused + seen.accused, honest + seen.honest
            self.stderr.write(f"{number + 1} of {options['communities']} communities: {seen}")
        self.stdout.write(
            f"{key}, {seats} seats, {options['communities']} communities of {players} players "
            f"who err in {ERROR_RATES[0]:.0%} to {ERROR_RATES[1]:.0%} of their decisions, "
            f"seed {options['seed']}, evaluator {judge.version(key, seats)}"
        )
        self.stdout.write(
            f"pairs who favour each other in {options['rate']:.0%} of their decisions, after "
            f"{options['games']} games together: {found} of {colluding} found"
        )
        self.stdout.write(f"honest pairs: {accused} of {honest:,} named")
