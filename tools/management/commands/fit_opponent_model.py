"""Watch Viziers, for the Grand Vizier to know how others choose."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.titles import TITLES
from tools.bots import has_tools, tools_of


class Command(BaseCommand):
    help = (
        "Watches games of Viziers and prints the habits that make what they did likeliest, how "
        "likely that is on average, and what it cost at most, as the network sees it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        able = [key for key in TITLES if has_tools(key, "opponent_model_fit")]
        parser.add_argument("game", choices=able)
        parser.add_argument("--players", type=int, default=2)
        parser.add_argument("--games", type=int, default=60)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["players"] not in TITLES[options["game"]].seats:
            raise CommandError(f"{options['game']} is not for {options['players']} players")
        if options["games"] < 1:
            raise CommandError("--games is 1 or more")
        bots.keep_compiled_in(settings.DATA / "compiled")
        fit = tools_of(options["game"], "opponent_model_fit")
        found = fit.fit_opponent_model(options["players"], options["games"], options["seed"])
        self.stdout.write(str(found))
