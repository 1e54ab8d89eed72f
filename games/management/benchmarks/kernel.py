"""How fast the kernel of the bots plays, on one core."""

from __future__ import annotations

from django.conf import settings

from games import bots

from .measure import Measurement, rate

SEATS = 4
GAMES = 50_000


def run(repeats: int) -> list[Measurement]:
    bots.keep_compiled_in(settings.DATA / "compiled")
    from games.titles.marrakech.bots.kernel import random_games

    return [
        rate(
            "random four-player games of Marrakech, compiled",
            lambda: random_games(GAMES, SEATS, True, False, False, 1),
            count=GAMES,
            repeats=repeats,
            target=300_000,
        )
    ]
