"""What is done with the database of the town itself, in a process that has its settings."""

from __future__ import annotations

import json
import sys
import time
from datetime import timedelta
from typing import Any

DUE = 200


def main(what: str, *numbers: str) -> Any:
    from django.core.management import call_command
    from django.utils import timezone

    from games.engine.games import RULESETS
    from games.management.commands.verify import faults_of
    from games.management.sizing import town
    from games.models import BotLevel, Game, Player
    from games.selectors.derived import games_to_check
    from games.services import lobby
    from games.services.timeouts import sweep_deadlines

    now = timezone.now()
    match what:
        case "settle":
            call_command("migrate", verbosity=0)
            players, running, finished = map(int, numbers)
            town.settle(players=players, running=running, finished=finished, now=now)
        case "plan":
            return town.plan()
        case "owe":
            return town.owe_mail(int(numbers[0]), now)
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
            played = games_to_check(public_id__in=numbers)
            return {game.public_id: faults for game in played if (faults := faults_of(game))}
        case "bytes":
            from django.db import connection

            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_database_size(current_database())")
                return cursor.fetchone()[0]
    return None


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write("\n" + json.dumps(main(*sys.argv[1:])))
