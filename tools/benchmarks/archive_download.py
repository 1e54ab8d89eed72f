"""Does taking games along cost the same memory however many there are?"""

from __future__ import annotations

import json
import sys
import tracemalloc
from functools import partial
from pathlib import Path

from tools.benchmarks.measure import Measurement, run_child

FEW, MANY = 2_000, 100_000
WITH_MOVES = 500
"""So many of the games have all their moves, which is what takes most memory; a record of each of
the others would only take longer."""
MOST = 1.5
FORMS = ("ndjson", "csv")


def run(repeats: int) -> list[Measurement]:
    peaks = run_child(__name__)
    return [
        Measurement(
            f"{form}: {few / 1e6:.1f} MB at most for {FEW:,} games, {many / 1e6:.1f} MB "
            f"for {MANY:,}",
            "times as much",
            many / few,
            many / few,
            MOST,
            False,
        )
        for form, (few, many) in peaks.items()
    ]


def measure(folder: Path) -> dict[str, list[int]]:
    """For each form, at both sizes: the highest use of memory while all games are sent."""
    from tools.benchmarks.pages import new_database
    from tools.bulk_data import fill_database

    found: dict[str, list[int]] = {form: [] for form in FORMS}
    for games in (FEW, MANY):
        fill_it = partial(fill_database, games, moves=WITH_MOVES, counted=False)
        new_database(str(folder / f"{games}.sqlite3"), fill_it)
        if games == FEW:
            # What is imported and remembered by whoever comes first is no part of it.
            for form in FORMS:
                _peak(form)
        for form in FORMS:
            found[form].append(_peak(form))
    return found


def _peak(form: str) -> int:
    from django.test import Client

    lines, client = 0, Client()
    tracemalloc.start()
    for part in client.get(f"/archive/games.{form}"):
        lines += part.count(b"\n")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    sys.stderr.write(f"  {lines:,} lines of {form}, {peak:,} bytes at most\n")
    return peak


if __name__ == "__main__":
    import django

    django.setup()
    from django.conf import settings as configured

    configured.ALLOWED_HOSTS = ["testserver"]
    sys.stdout.write(json.dumps(measure(configured.DATA)))
