"""Train the network of a game's evaluator by self-play."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games import bots
from games.titles import TITLES, part
from games.titles.judging import weights_folder
from tools.bots import has_tools, tools_of

BOTS = Path(__file__).parents[2] / "bots"


class Command(BaseCommand):
    help = (
        "Trains the network of the evaluator by fixed numbers of games, and writes its weights "
        "into the package of the game. The same command makes the same weights on the same "
        "machine."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=[key for key in TITLES if has_tools(key, "self_play")])
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--bootstrap-games", type=int, help="games of a simple player to begin with"
        )
        parser.add_argument(
            "--self-play-games", type=int, help="games of the network against itself"
        )
        parser.add_argument(
            "--among-viziers",
            action="store_true",
            help="the network that the Grand Vizier goes by, where it has one of its own",
        )
        parser.add_argument("--into", type=Path, help="another folder for the weights")

    def handle(self, *args: Any, **options: Any) -> None:
        game, players = options["game"], options["players"]
        counts = TITLES[game].rules.seat_counts
        if players not in counts:
            raise CommandError(f"{game} is for {counts} players, not {players}")
        # Before NumPy is there: sums on several threads have no fixed order.
        for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ[name] = "1"
        bots.keep_compiled_in(settings.DATA / "compiled")
        from games.titles.network import save

        self_play = tools_of(game, "self_play")
        train, plan, name = self_play.train, self_play.PLAN, f"{players}"
        if options["among_viziers"]:
            own = getattr(part(game, "bots.prospects"), "GRAND_VIZIER_NETWORKS", ())
            if players not in own:
                raise CommandError("this Grand Vizier goes by the network of the judge")
            train = partial(self_play.train, among_viziers=True)
            plan = self_play.PLAN_AMONG_VIZIERS
            name = f"among-viziers-{players}"
        given = {
            each: options[each] for each in ("bootstrap_games", "self_play_games") if options[each]
        }
        plan = replace(plan, **given)
        among = " among Viziers" if options["among_viziers"] else ""
        lines = [f"{game} for {players} players{among}, seed {options['seed']}", *_settings(plan)]
        begun = time.process_time()

        def report(line: str) -> None:
            lines.append(line)
            self.stdout.write(f"{time.process_time() - begun:7,.0f} s  {line}")
            self.stdout.flush()

        network = train(players, options["seed"], plan, report)
        folder = options["into"] or weights_folder(game)
        folder.mkdir(parents=True, exist_ok=True)
        save(network, folder / f"{name}.npz")
        reports = options["into"] or BOTS / game / "measurements"
        (reports / f"training-{name}.txt").write_text("\n".join(lines) + "\n")


def _settings(plan: Any) -> list[str]:
    return [f"{name}: {value}" for name, value in asdict(plan).items()]
