"""Write records of random games to standard output, one a line."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.errors import RulesError
from games.engine.games import RULESETS, ruleset
from games.engine.record import write
from tools.random_games import simulated_game


class Command(BaseCommand):
    help = "Plays games of random legal actions and writes their records as JSON Lines."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = next(iter(RULESETS))
        parser.add_argument("--game", default=usual, help=f"one of {', '.join(RULESETS)} ({usual})")
        parser.add_argument("--players", type=int, default=4, help="how many seats (4)")
        parser.add_argument("--games", type=int, default=1, help="how many games (1)")
        parser.add_argument(
            "--seed", default="0", help="number or text from which everything follows (0)"
        )
        parser.add_argument("--rules", default="", help="options, such as turning=after,…")
        parser.add_argument(
            "--legal", action="store_true", help="give each move the list of what was legal"
        )
        parser.add_argument(
            "--leave",
            type=float,
            default=0.0,
            metavar="P",
            help="probability, before each move, that a random seat resigns or times out (0)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        players, games, leave = options["players"], options["games"], options["leave"]
        try:
            rules = ruleset(options["game"])
            chosen = rules.options(parse_rules(options["rules"]))
            rules.colours(players)
        except RulesError as error:
            raise CommandError(str(error)) from None
        if games < 0:
            raise CommandError(f"--games is {games}, expected 0 or more")
        if not 0 <= leave <= 1:
            raise CommandError(f"--leave is {leave}, expected a probability from 0 to 1")
        try:
            for number in range(games):
                record = simulated_game(
                    rules,
                    seats=players,
                    options=chosen,
                    seed=f"{options['seed']}/{number}",
                    leave=leave,
                    with_legal=options["legal"],
                )
                self.stdout.write(write(record))
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever read has seen enough. What is still buffered goes nowhere, without a word.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parse_rules(text: str) -> dict[str, object]:
    """`name=value,…`; the words true and false are values of their own."""
    words = {"true": True, "false": False}
    chosen: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals or name in chosen:
            raise CommandError(
                f"--rules has {part!r}, expected name=value pairs with commas, each name once"
            )
        chosen[name] = words.get(value, value)
    return chosen
