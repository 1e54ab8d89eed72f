"""Let bots play against each other and count who wins."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from functools import partial
from multiprocessing import get_context
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.bots import judge
from tools.bots import lineups
from tools.bots.matches import Match, MatchScore, play_match_game


class Command(BaseCommand):
    help = (
        "Plays games between bots, with seats rotated, and prints each one's share of the wins "
        "with its 95 % interval and its time per decision, in the order of play. The last bot "
        "named fills the table."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        lineups.add_arguments(parser)
        parser.add_argument("--games", type=int, default=2000)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--without-luck",
            action="store_true",
            help="also take away what the dice gave by the judge: as true, and surer by far",
        )
        parser.add_argument("--processes", type=int, default=os.cpu_count(), help="(all cores)")

    def handle(self, *args: Any, **options: Any) -> None:
        duel = _duel(options)
        bots.keep_compiled_in(settings.DATA / "compiled")
        load = None
        if duel.without_luck or bots.COMPILED.intersection(duel.lineup.bots):
            load = bots.prepare
            if not bots.ready():
                self.stderr.write("Compiling the bots; this takes a minute, once.")
                bots.prepare()
        total = MatchScore.zero(len(duel.lineup.bots))
        # Not forked: a child should start without what the parent's threads hold.
        with get_context("spawn").Pool(options["processes"], load) as pool:
            games = range(options["games"])
            for score in pool.imap_unordered(partial(play_match_game, duel), games, chunksize=4):
                total.add(score)
                self._show_progress(total, options["games"])
        self._print(duel, total)

    def _show_progress(self, total: MatchScore, games: int) -> None:
        if sys.stderr.isatty() or total.games * 20 % games < 20:
            share, _ = total.share(0)
            end = "\r" if sys.stderr.isatty() and total.games < games else "\n"
            self.stderr.write(f"{total.games:,} of {games:,} games, {share:.1%}", ending=end)

    def _print(self, duel: Match, total: MatchScore) -> None:
        for place, (name, tally) in enumerate(zip(duel.lineup.bots, total.tallies, strict=True)):
            share, half = total.share(place)
            mean = 1000 * tally.seconds / max(1, tally.decisions)
            fair = ""
            if duel.without_luck:
                fair = "without luck {:.1%} ± {:.1%}, ".format(*total.fair_share(place))
            self.stdout.write(
                f"{name}: {share:.1%} ± {half:.1%} of {total.games:,} games, {fair}"
                f"{mean:.2f} ms a decision (longest {1000 * tally.longest:.0f} ms)"
            )


def _duel(options: dict[str, Any]) -> Match:
    if options["games"] < 1 or options["processes"] < 1:
        raise CommandError("--games and --processes are 1 or more")
    lineup = lineups.lineup_from_options(options)
    if options["without_luck"] and not judge.is_judged(lineup.game):
        raise CommandError(f"{lineup.game} has no judge to say what was luck")
    return Match(lineup, options["seed"], options["without_luck"])
