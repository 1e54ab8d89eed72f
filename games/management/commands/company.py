"""Look for pairs of players who favour each other, or measure how well that works."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import bots
from games.selectors.company import bonds
from games.services import company
from games.titles import TITLES, has_part


class Command(BaseCommand):
    help = (
        "Looks through the judged games of the site for pairs whose mistakes please each other "
        "more than the lot explains, and names them. With --simulate: plays games among players "
        "some of whom favour each other, and counts who is found."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        able = [key for key in TITLES if has_part(key, "bots.society")]
        parser.add_argument("--simulate", choices=able, metavar="GAME", help=", ".join(able))
        parser.add_argument("--players", type=int, default=4, help="at a table")
        parser.add_argument("--town", type=int, default=48, help="players in all")
        parser.add_argument("--friends", type=int, default=8, help="pairs who favour each other")
        parser.add_argument("--bent", type=float, default=0.1, help="share of their decisions")
        parser.add_argument("--games", type=int, default=20, help="that two play together")
        parser.add_argument("--towns", type=int, default=4)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["simulate"]:
            self._simulate(options)
            return
        looked = company.look(now=timezone.now())
        self.stdout.write(f"{looked} pairs looked at")
        for bond in bonds():
            self.stdout.write(
                f"{bond.low} and {bond.high}, {bond.ruleset}: {bond.games} games, "
                f"{bond.gifts:+.1f} points a game to each other, {bond.usual:+.1f} to others, "
                f"by lot once in {1 / max(bond.chance, 1e-12):,.0f}"
            )

    def _simulate(self, options: dict[str, Any]) -> None:
        key, seats, players = options["simulate"], options["players"], options["town"]
        if seats not in TITLES[key].seats or seats < 3 or players % seats:
            raise CommandError("--players is 3 or more, and --town a multiple of it")
        if 2 * options["friends"] > players:
            raise CommandError("there are not so many --friends in this --town")
        bots.keep_compiled_in(settings.DATA / "compiled")
        from games.bots import judge
        from games.management.society import SLIPS, Town, watched

        found = friends = accused = honest = 0
        for number in range(options["towns"]):
            seen = watched(
                Town(key, seats, players),
                options["friends"],
                options["games"],
                options["bent"],
                options["seed"] * 1000 + number,
            )
            found, friends = found + seen.found, friends + seen.friends
            accused, honest = accused + seen.accused, honest + seen.honest
            self.stderr.write(f"{number + 1} of {options['towns']} towns: {seen}")
        self.stdout.write(
            f"{key}, tables of {seats}, {options['towns']} towns of {players} players who slip in "
            f"{SLIPS[0]:.0%} to {SLIPS[1]:.0%} of their decisions, seed {options['seed']}, "
            f"judge {judge.version(key, seats)}"
        )
        self.stdout.write(
            f"friends who bend {options['bent']:.0%} of their decisions, after {options['games']} "
            f"games together: {found} of {friends} pairs found"
        )
        self.stdout.write(f"honest pairs: {accused} of {honest:,} named")
