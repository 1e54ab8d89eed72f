"""What does the entry of a finished game into the books cost?"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

from .child import run_child
from .measure import Measurement

GAMES = 2_000
BEFORE = {2: 26.0, 3: 35.0, 4: 45.0}
"""Milliseconds of the processor, by number of players, before there were sheets, openings and
opponents: the median of thirty entries each, in books of a few dozen games."""
MORE = 15.0


def run(repeats: int) -> list[Measurement]:
    found = []
    for size, times in run_child(__name__, str(repeats)).items():
        name, most = f"one more game of {size} among {GAMES:,}", BEFORE[int(size)] + MORE
        found.append(Measurement(name, "ms", statistics.median(times), min(times), most, False))
    return found


def measure(repeats: int, folder: Path) -> dict[int, list[float]]:
    """By number of players: milliseconds of each entry, all of it but the commit."""
    from django.db import transaction

    from games.engine.games import RULESETS
    from games.models import Game
    from games.selectors.course import course_of
    from games.services.stats import count_game

    from .fill import fill
    from .pages import new_database

    new_database(str(folder / "books.sqlite3"), lambda: fill(GAMES, moves=GAMES))
    first = next(iter(RULESETS))
    found: dict[int, list[float]] = {}
    for size in RULESETS[first].seat_counts:
        played = Game.objects.filter(ruleset=first, size=size, rated=True, visibility="public")
        for game in played.order_by("-ended_at")[:repeats]:
            course = course_of(game)
            with transaction.atomic():
                start = time.process_time()
                count_game(course=course)
                found.setdefault(size, []).append(1000 * (time.process_time() - start))
                transaction.set_rollback(True)
    return found


if __name__ == "__main__":
    import django

    django.setup()
    from django.conf import settings as configured

    sys.stdout.write(json.dumps(measure(int(sys.argv[1]), configured.DATA)))
