"""Does a sweep of deadlines cost what is due, or what exists?"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from games.engine.games import RULESETS
from tools.benchmarks.measure import Measurement, run_child

DUE = 100
FEW, MANY = 10_000, 1_000_000
MOST_REPEATS = 5


def run(repeats: int) -> list[Measurement]:
    from tools import local_servers

    with (
        tempfile.TemporaryDirectory() as folder,
        local_servers.postgres(Path(folder)) as url,
    ):
        few, many = run_child(__name__, str(min(repeats, MOST_REPEATS)), DATABASE_URL=url)
    slower = statistics.median(many) / statistics.median(few)
    return [
        Measurement(
            f"{DUE} of {MANY:,} seats due, by {DUE} of {FEW:,}",
            "times",
            slower,
            min(many) / min(few),
            1.5,
            False,
        )
    ]


def measure(repeats: int) -> tuple[list[float], list[float]]:
    """Seconds of each sweep, with few and with many seats on the clock."""
    fill(0, FEW)
    sweep()
    few = [sweep() for _ in range(repeats)]
    fill(FEW, MANY)
    sweep()
    return few, [sweep() for _ in range(repeats)]


def sweep() -> float:
    """Make games whose time is up, and take the time of the sweep that ends them."""
    import time
    from datetime import timedelta

    from django.utils import timezone

    from tools import sample_games

    now = timezone.now()
    past = now - timedelta(days=4)
    tables = sample_games.Tables(prefix=f"late{time.monotonic_ns()}-")
    for _ in range(DUE):
        tables.game(now=past)
    start = time.perf_counter()
    taken = sample_games.sweep(now)
    spent = time.perf_counter() - start
    assert taken == DUE, f"{taken} of {DUE} were taken"
    return spent


def fill(already: int, wanted: int) -> None:
    """Seats on the clock, written straight into the tables: their time is not up."""
    from datetime import timedelta

    from django.utils import timezone

    from games.models import Game, Player, Seat
    from tools.bulk_data import analyse_tables, fast_writes, write_rows

    now, first = timezone.now(), 1_000_000_000
    numbers = range(first + already, first + wanted)
    game = Game(
        ruleset=next(iter(RULESETS)),
        size=2,
        pace=Game.Pace.DAILY,
        visibility=Game.Visibility.PUBLIC,
        rated=False,
        creator_id=first,
        seed=bytes(32),
        created_at=now,
        started_at=now,
        status=Game.Status.RUNNING,
        to_act_kind="turn",
        acted_at=now,
    )
    seat = Seat(player_id=first, joined=0, number=0, joined_at=now, clock_since=now)
    seat.bank = timedelta(days=3)
    deadline = now + timedelta(days=1)
    with fast_writes():
        if not already:
            write_rows(Player, Player(password="!"), ("id", "username"), [(first, "crowd")])
        write_rows(
            Game,
            game,
            ("id", "public_id", "to_act_id", "deadline"),
            ((n, f"x{n}", n, deadline + (n - first) * timedelta(seconds=1)) for n in numbers),
        )
        write_rows(Seat, seat, ("id", "game_id"), ((n, n) for n in numbers))
    analyse_tables()


if __name__ == "__main__":
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
