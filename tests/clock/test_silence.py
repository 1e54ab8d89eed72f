"""A game without a clock that fell silent can be closed by the others, or by the staff."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from games.models import Game, Notice, Player, Seat
from games.services import silence
from games.services.errors import Refused
from tests.people import new_player, new_players, started_game, whose_turn

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DAY = timedelta(days=1)


def quiet_game(size: int = 3, *, days: int = 31, pace: str = Game.Pace.NONE) -> Game:
    return started_game(new_players(size), now=timezone.now() - days * DAY, pace=pace)


def others(game: Game) -> list[Player]:
    return [seat.player for seat in game.seats.all() if seat.pk != game.to_act_id]


def agree(game: Game, player: Player) -> bool:
    return silence.agree_to_go_on(game_id=game.pk, player=player, now=timezone.now())


def test_all_others_agree_and_the_game_goes_on() -> None:
    game = quiet_game()
    silent = whose_turn(game)
    first, second = others(game)
    assert not agree(game, first)
    assert not agree(game, first), "once more is not one more"
    game.refresh_from_db()
    assert game.move_count == 0
    assert agree(game, second)
    game.refresh_from_db()
    assert game.seats.get(player=silent).left_by == "timeout"
    assert game.status == Game.Status.RUNNING
    assert whose_turn(game) in (first, second)
    assert Notice.objects.filter(player=silent, kind=Notice.Kind.SEAT_LOST).exists()


def test_of_two_the_other_one_closes_the_game() -> None:
    game = quiet_game(2)
    assert agree(game, others(game)[0])
    game.refresh_from_db()
    assert game.status == Game.Status.OVER


@pytest.mark.parametrize(("days", "pace"), [(29, Game.Pace.NONE), (60, Game.Pace.SLOW)])
def test_not_before_thirty_days_and_not_where_a_clock_runs(days: int, pace: str) -> None:
    game = quiet_game(2, days=days, pace=pace)
    with pytest.raises(Refused):
        agree(game, others(game)[0])


def test_neither_the_silent_one_nor_a_stranger_has_a_say() -> None:
    game = quiet_game()
    for player in (whose_turn(game), new_player("Stranger")):
        with pytest.raises(Refused):
            agree(game, player)


def test_who_agreed_on_an_older_position_is_asked_again() -> None:
    game = quiet_game()
    first, second = others(game)
    agree(game, first)
    Seat.objects.filter(player=first).update(goes_on_from=7)
    assert not agree(game, second)


def test_the_page_asks_those_who_have_a_say(client: Client) -> None:
    game = quiet_game()
    url = game.get_absolute_url()
    silent, (first, second) = whose_turn(game), others(game)
    client.force_login(first)
    assert f"Go on without {silent}" in client.get(url).content.decode()
    client.post(f"{url}go-on/")
    page = client.get(url).content.decode()
    assert f"Go on without {silent}" not in page
    assert f"Still to agree: {second}" in page
    client.force_login(silent)
    assert "silent since" not in client.get(url).content.decode()
    client.force_login(second)
    client.post(f"{url}go-on/")
    assert f"Go on without {silent}" not in client.get(url).content.decode()
    assert client.post(f"{url}go-on/", follow=True).status_code == 200


def test_a_busy_game_asks_nobody(client: Client) -> None:
    game = quiet_game(days=3)
    client.force_login(others(game)[0])
    assert "silent since" not in client.get(game.get_absolute_url()).content.decode()


@pytest.mark.parametrize("allowed", [True, False])
def test_staff_that_may_change_games_closes_it(client: Client, allowed: bool) -> None:
    game, fresh = quiet_game(2), started_game([new_player("A"), new_player("B")], pace="none")
    Game.objects.filter(pk=fresh.pk).update(acted_at=timezone.now())
    staff = new_player("Staff", is_staff=True)
    names = ["view_game", "change_game"] if allowed else ["view_game"]
    staff.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(staff)
    chosen = {"action": "go_on", "_selected_action": [game.pk, fresh.pk]}
    client.post("/admin/games/game/", chosen)
    game.refresh_from_db()
    fresh.refresh_from_db()
    assert game.status == (Game.Status.OVER if allowed else Game.Status.RUNNING)
    assert fresh.status == Game.Status.RUNNING, "nobody is silent there"
