"""Does a sweep of deadlines cost what is due, or what exists?"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from games.engine.games import RULESETS

from .child import run_child
from .measure import Measurement

DUE = 100
FEW, MANY = 10_000, 1_000_000
MOST_REPEATS = 5


def run(repeats: int) -> list[Measurement]:
    from tests import servers

    with (
        tempfile.TemporaryDirectory() as folder,
        servers.postgres(Path(folder)) as url,
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

    from tests import people

    now = timezone.now()
    past = now - timedelta(days=4)
    tables = people.Tables(prefix=f"late{time.monotonic_ns()}-")
    for _ in range(DUE):
        tables.game(now=past)
    start = time.perf_counter()
    taken = people.sweep(now)
    spent = time.perf_counter() - start
    assert taken == DUE, f"{taken} of {DUE} were taken"
    return spent


def fill(already: int, wanted: int) -> None:
    """Seats on the clock, written straight into the tables: their time is not up."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        # A game names the seat that is to act, and the seat its game; two million checks of
        # that would take longer than everything else.
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            """
            INSERT INTO games_player (id, username, display_name, email, password, is_superuser,
                is_staff, is_active, date_joined, language, time_zone, theme, confirm_moves, mail,
                digest_hour, reminders, auto_vacation, refused_address, refused_reason, bot_level,
                is_guest)
            VALUES (999999999, 'crowd', '', '', '', false, false, true, now(), '', '', 'system',
                true, 'each', 8, true, false, '', '', '', false)
            ON CONFLICT DO NOTHING
            """
        )
        cursor.execute(
            """
            INSERT INTO games_game (id, public_id, ruleset, options, edition, size, pace,
                visibility, rated, creator_id, seed, commitment, created_at, started_at, status,
                move_count, to_act_id, to_act_kind, acted_at, deadline, on_timeout,
                fill_level)
            SELECT 1000000000 + n, 'x' || n, %s, '{}', '', 2, 'daily', 'public', false,
                999999999, '\\x00', '', now(), now(), 'running', 0, 1000000000 + n, 'turn', now(),
                now() + interval '1 day' + n * interval '1 second', 'leave', ''
            FROM generate_series(%s, %s) AS n
            """,
            [next(iter(RULESETS)), already, wanted - 1],
        )
        cursor.execute(
            """
            INSERT INTO games_seat (id, game_id, player_id, joined, entropy, joined_at, seen_moves,
                notes, mail, bank, clock_since, turns, number, left_by,
                stand_in_turns)
            SELECT 1000000000 + n, 1000000000 + n, 999999999, 0, '', now(), 0, '', 'default',
                interval '3 days', now(), 0, 0, '', 0
            FROM generate_series(%s, %s) AS n
            """,
            [already, wanted - 1],
        )
        cursor.execute("ANALYZE games_game, games_seat")


if __name__ == "__main__":
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
