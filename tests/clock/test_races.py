"""Many hands change when one player's clocks run, while others move."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time, timedelta
from functools import partial

import pytest

from games.models import Notice, Player
from games.services import rhythm, vacation
from games.services.notices import subscriptions
from tests.hands import at_once
from tests.people import START, Tables, actor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

NOW = START + timedelta(hours=1)
WINDOWS = [(time(22), time(6)), (time(23), time(7)), None]


def busy_player(tables: Tables, games: int = 12) -> Player:
    """Somebody on whom several games wait."""
    player = tables.player()
    made = [tables.game([player]) for _ in range(games)]
    waiting = [game for game in made if actor(game).player_id == player.pk]
    assert len(waiting) >= 3
    return player


def change(player: Player, number: int) -> Callable[[], None]:
    """As a request does it, with a player read by itself."""
    own = Player.objects.get(pk=player.pk)
    changes = [
        partial(rhythm.change_quiet_hours, player=own, quiet=WINDOWS[number % 3], now=NOW),
        partial(rhythm.change_quiet_hours, player=own, quiet=WINDOWS[number % 2], now=NOW),
        partial(
            subscriptions.change_wishes,
            player=own,
            mail=Player.Mail.EACH,
            digest_hour=8,
            reminders=True,
            now=NOW,
        ),
        partial(rhythm.change_time_zone, player=own, time_zone="Asia/Taipei", now=NOW),
    ]
    return changes[number % len(changes)]


def test_saving_quiet_hours_many_times_at_once_fails_nobody_and_loses_no_reminder() -> None:
    player = busy_player(Tables())
    before = set(reminders(player))
    answers = at_once([change(player, number) for number in range(20)])
    assert [answer for answer in answers if answer is not None] == []
    assert set(reminders(player)) == before


def reminders(player: Player) -> list[tuple[int | None, str]]:
    queued = Notice.objects.filter(
        player=player,
        kind__in=[Notice.Kind.HALF, Notice.Kind.LAST],
        state=Notice.State.QUEUED,
    )
    return list(queued.values_list("game_id", "kind"))


def test_vacations_planned_at_once_do_not_overlap() -> None:
    player = busy_player(Tables())
    day = timedelta(days=1)
    answers = at_once(
        [
            partial(
                vacation.take_vacation,
                player=Player.objects.get(pk=player.pk),
                start=NOW + hours * timedelta(hours=1),
                end=NOW + 5 * day,
                now=NOW,
            )
            for hours in range(8)
        ]
    )
    assert player.vacations.count() == 1
    assert len([answer for answer in answers if not isinstance(answer, Exception)]) == 1
