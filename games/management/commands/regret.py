"""Ask how much better bots could play at all."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from functools import partial
from multiprocessing import get_context
from statistics import fmean, stdev
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.bots import judge
from games.management import lineups
from games.management.regrets import Study, look_into


class Command(BaseCommand):
    help = (
        "Plays games between bots and prints what each of them loses at a decision with a choice, "
        "in points of win share with the 95 % interval, against the best of what any of them "
        "would do and of what the Grand Vizier likes best, by continuations to the end."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        lineups.add_arguments(parser)
        parser.add_argument("--games", type=int, default=200)
        parser.add_argument("--decisions", type=int, default=3, help="that are drawn of each game")
        parser.add_argument("--trials", type=int, default=300, help="of each action")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--processes", type=int, default=os.cpu_count(), help="(all cores)")

    def handle(self, *args: Any, **options: Any) -> None:
        if min(options["games"], options["decisions"], options["processes"]) < 1:
            raise CommandError("--games, --decisions and --processes are 1 or more")
        if options["trials"] < 2:
            raise CommandError("--trials is 2 or more: one half chooses, the other values")
        lineup = lineups.asked_for(options)
        if not judge.is_judged(lineup.game):
            raise CommandError(f"{lineup.game} has no judge to continue its games")
        study = Study(lineup, options["seed"], options["decisions"], options["trials"])
        bots.keep_compiled_in(settings.DATA / "compiled")
        if not bots.ready():
            bots.prepare()
        with get_context("spawn").Pool(options["processes"], bots.prepare) as pool:
            found = pool.map(partial(look_into, study), range(options["games"]), chunksize=1)
        choices = fmean(each.choices for each in found)
        for bot in dict.fromkeys(lineup.bots):
            lost = [100 * each[bot] for findings in found for each in findings.losses]
            half = 1.96 * stdev(lost) / len(lost) ** 0.5
            self.stdout.write(
                f"{bot}: loses {fmean(lost):.2f} ± {half:.2f} points at each of {choices:.0f} "
                f"decisions of a game, {choices * fmean(lost):.0f} ± {choices * half:.0f} in all "
                f"({len(lost):,} decisions)"
            )
