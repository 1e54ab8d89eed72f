"""Who plays, and who does not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from threading import Event

from django.db.models import F
from django.utils import timezone

from games.models import BotLevel, Game, Heartbeat, Notice
from games.services import lobby
from games.workers import ROLES
from tests.chaos.people import Table, browser_of
from tests.people import new_player, started_game

PACE = Game.Pace.BRISK
APART = timedelta(seconds=2)
WITH_A_BOT = 4
UNTOLD = 5
"""Every so many-th of those who do not play has not got the mail about the turn yet."""


def seated_tables(count: int, ports: Sequence[int], enough: Event, seed: int) -> list[Table]:
    """Every so many-th of them has a bot at it."""
    tables = []
    for number in range(count):
        if number % WITH_A_BOT:
            players = [new_player(f"{side}{number}") for side in ("East", "West")]
            game = started_game(players, now=timezone.now(), pace=Game.Pace.DAILY)
        else:
            players = [new_player(f"East{number}")]
            game = lobby.play_against_bots(
                player=players[0],
                ruleset="marrakech",
                opponents=1,
                level=BotLevel.APPRENTICE,
                now=timezone.now(),
            )
        browsers = {player.pk: [browser_of(player, port) for port in ports] for player in players}
        tables.append(Table(game, browsers, enough, seed + number))
    return tables


def doomed_games(*, within: float, first_after: float) -> list[Game]:
    """Games in which somebody lets the time run out, one after the other."""
    cap = PACE.cap
    assert cap
    number = int((timedelta(seconds=within - first_after)) / APART)
    pairs = [[new_player(f"{side}{n}") for side in ("Sleeper", "Waiter")] for n in range(number)]
    due = timezone.now() + timedelta(seconds=first_after)
    games = []
    for players in pairs:
        game = started_game(players, now=due - cap, pace=PACE)
        assert game.deadline == due
        games.append(game)
        due += APART
    told = [game for number, game in enumerate(games) if number % UNTOLD]
    Notice.objects.filter(game__in=told, kind__in=[Notice.Kind.TURN, Notice.Kind.STARTED]).update(
        state=Notice.State.SENT, sent_at=F("created_at")
    )
    return games


def all_work() -> bool:
    """Whether somebody sweeps, somebody sends and somebody thinks."""
    return Heartbeat.objects.filter(name__in=ROLES).count() == len(ROLES)


def settled(doomed: Sequence[Game]) -> bool:
    """Whether nothing is due any more: neither mail nor a seat nor a bot's turn."""
    unsent = [Notice.State.QUEUED, Notice.State.SENDING]
    soon = timezone.now() + timedelta(minutes=5)
    running = Game.objects.filter(pk__in=[game.pk for game in doomed], status=Game.Status.RUNNING)
    return not (
        Notice.objects.filter(state__in=unsent, due_at__lte=soon).exists()
        or running.filter(deadline__lte=soon).exists()
        or Game.objects.filter(bot_due_at__isnull=False).exists()
    )
