"""What is done with the database of the town itself, in a process that has its settings."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

DUE = 200
SWEEPS = "sweeps"


def main(what: str, *numbers: str) -> Any:
    from django.db.models import Q
    from django.utils import timezone

    from games.engine.games import RULESETS
    from games.models import BotLevel, Game, Heartbeat, Notice, Player
    from games.services import lobby, soundness
    from games.services.timeouts import sweep_deadlines
    from tools.load_test import row_sizes, site_data

    now, state = timezone.now(), Notice.State
    match what:
        case "settle":
            site_data.write_site(site_data.DataSize(*map(int, numbers)), now)
        case "plan":
            return site_data.load_plan()
        case "owe":
            return site_data.queue_emails(int(numbers[0]), now)
        case "owed mail":
            until = datetime.fromtimestamp(int(numbers[0]), UTC)
            soon = Q(state=state.QUEUED, due_at__lt=until)
            return Notice.objects.filter(soon | Q(state=state.SENDING)).count()
        case "mail sent":
            return Notice.objects.filter(state=state.SENT).count()
        case "owed by bots":
            return Game.objects.filter(bot_due_at__isnull=False).count()
        case "without sweeps":
            return int(not Heartbeat.objects.filter(name=SWEEPS).exists())
        case "bots":
            player = Player.objects.order_by("pk")[0]
            for number in range(int(numbers[0])):
                lobby.play_against_bots(
                    player=player,
                    ruleset=sorted(RULESETS)[number % len(RULESETS)],
                    opponents=1,
                    level=BotLevel.VIZIER,
                    now=now,
                )
        case "sweep":
            # Time goes on at once to the moment at which so many seats are lost.
            due = Game.objects.filter(status="running", deadline__gt=now).order_by("deadline")
            later = list(due.values_list("deadline", flat=True)[:DUE])[-1]
            assert later
            start = time.perf_counter()
            taken = sweep_deadlines(now=later + timedelta(milliseconds=1))
            return [taken, time.perf_counter() - start]
        case "verify":
            return {
                game.public_id: faults
                for game in soundness.games(public_id__in=numbers)
                if (faults := soundness.faults(game, now=now))
            }
        case "bytes":
            return row_sizes.database_bytes()
        case "growth":
            return row_sizes.row_sizes()
    return None


if __name__ == "__main__":
    # One process for all that is asked, because to start one takes longer than most of it.
    import django

    django.setup()
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        answers.write(json.dumps(main(*json.loads(line))) + "\n")
        answers.flush()
