"""A guest signs in at the moment at which one of the games ends."""

from __future__ import annotations

import pytest
from django.db import connection

from games.models import BotLevel, Game, Player
from games.services import guests, lobby, play, stats
from tests.hands import waiting_for_us, without_row_locks
from tests.people import NOON, new_player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def game_that_ends_while_its_guest_comes_in() -> tuple[Player, Player, Game]:
    guest, player = guests.welcome_guest(now=NOON), new_player("Yasmin")
    game = lobby.play_against_bots(
        player=guest, ruleset="marrakech", opponents=1, level=BotLevel.APPRENTICE, now=NOON
    )
    with waiting_for_us(lambda: guests.come_in(player=player, guest=guest)):
        play.resign(game_id=game.pk, player=guest, now=NOON)
    game.refresh_from_db()
    return guest, player, game


def owners(game: Game) -> set[int]:
    seated = game.seats.filter(player__bot_level="").values_list("player", flat=True)
    return {game.creator_id, *seated}


def test_a_game_that_ends_as_its_guest_signs_in_stays_with_the_guest() -> None:
    guest, player, game = game_that_ends_while_its_guest_comes_in()
    assert game.status == Game.Status.OVER
    assert owners(game) == {guest.pk}
    assert not player.seats.exists()
    assert stats.differences(stats.recount()) == []


def test_without_the_lock_a_finished_game_changes_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control. On SQLite whoever writes is alone anyway, lock or not."""
    without_row_locks(monkeypatch)
    guest, player, game = game_that_ends_while_its_guest_comes_in()
    on_a_server = connection.vendor == "postgresql"
    assert owners(game) == ({player.pk} if on_a_server else {guest.pk})
    assert bool(stats.differences(stats.recount())) == on_a_server
