"""Measure how good the evaluator of a game is."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.titles import TITLES
from tools.bots import has_tools, tools_of

BY = {"network": "network", "hurried": "Vizier in a hurry", "vizier": "vizier"}


class Command(BaseCommand):
    help = (
        "Plays new games and compares what the evaluator said in them with the results: "
        "calibration and loss in each fifth of the moves, and the variance without luck."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "game", choices=[key for key in TITLES if has_tools(key, "measured_games")]
        )
        parser.add_argument("--players", type=int, default=2)
        parser.add_argument("--edition", help="the rules, by the name of their preset")
        parser.add_argument("--by", choices=BY, default="vizier")
        parser.add_argument(
            "--careful",
            action="store_true",
            help="value the rolls a turn further ahead, as reckonings do",
        )
        parser.add_argument("--games", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=1001)

    def handle(self, *args: Any, **options: Any) -> None:
        rules = TITLES[options["game"]].rules
        if options["players"] not in rules.seat_counts:
            raise CommandError(f"{rules.key} is for {rules.seat_counts}, not {options['players']}")
        if options["games"] < 2:
            raise CommandError("--games is 2 or more: what points are worth is learned from others")
        edition = options["edition"]
        if edition is not None and edition not in rules.presets:
            known = ", ".join(rules.presets)
            raise CommandError(f"no edition {edition!r}, expected one of {known}")
        bots.keep_compiled_in(settings.DATA / "compiled")
        from tools.bots.evaluator_quality import measure_quality

        reviews = tools_of(rules.key, "measured_games").measure_games(
            options["players"],
            rules.presets[edition] if edition else rules.options({}),
            options["games"],
            options["seed"],
            by_vizier=options["by"] != "network",
            hurried=options["by"] == "hurried",
            careful=options["careful"],
        )
        found = measure_quality(reviews)
        self.stdout.write(
            f"{rules.key}, {options['players']} players, {edition or 'default rules'}, "
            f"{found.games:,} games by the {BY[options['by']]}, seed {options['seed']}"
            f"{', rolls valued a turn further ahead' if options['careful'] else ''}"
        )
        names = [f"fifth {number}" for number in range(1, len(found.parts) + 1)]
        for name, each in zip([*names, "all"], [*found.parts, found.whole], strict=True):
            self.stdout.write(
                f"{name}: calibration error {each.calibration:.2%}, loss "
                f"{each.loss.as_it_came:.4f} (by points {each.by_points.as_it_came:.4f}, "
                f"uniform {each.uniform:.4f}); without luck {each.without_luck:.2%} (a true judge "
                f"{each.by_chance:.2%}), loss {each.loss.without_luck:.4f} "
                f"(by points {each.by_points.without_luck:.4f})"
            )
        self.stdout.write(f"variance left without luck: {found.variance_left:.1%}")
