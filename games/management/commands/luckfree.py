"""Measure the luck-free rating beside openskill, on players of known strength."""

from __future__ import annotations

from argparse import ArgumentParser
from statistics import fmean, stdev
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.titles import TITLES, has_part

ROUNDS = 50
SHOWN = (5, 10, 20, 30, 40, 50)


class Command(BaseCommand):
    help = (
        "Plays games among players of known strength, keeps both ratings beside each other, and "
        "prints by how many places players stand wrong after so many games each."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        able = [key for key in TITLES if has_part(key, "bots.society")]
        parser.add_argument("game", choices=able)
        parser.add_argument("--players", type=int, default=4, help="at a table")
        parser.add_argument("--town", type=int, default=24, help="players in all")
        parser.add_argument("--games", type=int, default=20_000)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        bots.keep_compiled_in(settings.DATA / "compiled")
        from games.bots import judge
        from games.management.society import Town, followed

        seats, players = options["players"], options["town"]
        if seats not in TITLES[options["game"]].seats or players % seats:
            raise CommandError("--players is of this game, and --town a multiple of it")
        town = Town(options["game"], seats, players)
        games = ROUNDS * players // seats
        towns = -(-options["games"] // games)
        courses = []
        for number in range(towns):
            courses.append(followed(town, ROUNDS, options["seed"] * 1000 + number))
            self.stderr.write(f"{number + 1} of {towns} towns")
        self.stdout.write(
            f"{town.key}, tables of {seats}, {towns} towns of {players} players, "
            f"{towns * games:,} games, seed {options['seed']}, "
            f"judge {judge.version(town.key, seats)}"
        )
        self.stdout.write("games each: places wrong by openskill, by the luck-free rating")
        for after in SHOWN:
            self.stdout.write(
                f"{after}: {_said([each.openskill[after - 1] for each in courses])}, "
                f"{_said([each.luck_free[after - 1] for each in courses])}"
            )


def _said(errors: list[float]) -> str:
    """The mean over all towns, with its standard error."""
    error = stdev(errors) / len(errors) ** 0.5 if len(errors) > 1 else 0.0
    return f"{fmean(errors):.2f} ± {error:.2f}"
