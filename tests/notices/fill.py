"""Run as a process of its own: `python -m tests.notices.fill games notices`.

Makes running games in the database that the environment names, and a number of due notices.
"""

from __future__ import annotations

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from games.models import Notice  # noqa: E402
from tests.people import Tables  # noqa: E402


def fill(games: int, notices: int) -> None:
    """Each player gets one notice about a game, with a picture of its board: two of those would
    go out as one mail. The rest are tests of addresses, which go alone."""
    now = timezone.now()
    tables = Tables()
    seats = [seat for _ in range(games) for seat in tables.game(now=now).seats.all()]
    Notice.objects.all().delete()
    rows = []
    for number in range(notices):
        seat = seats[number // 10 % len(seats)]
        about_game = number % 10 == 0 and number // 10 < len(seats)
        rows.append(
            Notice(
                player_id=seat.player_id,
                game_id=seat.game_id if about_game else None,
                move_number=number,
                kind=Notice.Kind.STARTED if about_game else Notice.Kind.ADDRESS,
                created_at=now,
                due_at=now,
            )
        )
    Notice.objects.bulk_create(rows)


fill(*map(int, sys.argv[1:]))
