"""No position of a game that is being played here gets to the judge, whatever it is dressed as."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.games import ruleset
from games.engine.record import read, write
from games.models import Game, Reckoning
from games.selectors.course import course_of
from games.selectors.position import sight_of
from games.selectors.reckonings import shows_a_running_game
from games.selectors.records import record_of
from games.services import play, reckonings
from games.services.errors import Refused
from tests.history.archive import people, stored_game
from tests.history.archive import record_of as record_from_outside
from tests.people import NOON
from tests.reckoning.disguises import across_the_diagonal, deeds_of, on_paper, on_the_other_plane

pytestmark = pytest.mark.django_db


def test_a_running_game_cannot_be_smuggled_in_as_a_record() -> None:
    """Whoever takes its record and has the others give up has a finished game on paper."""
    players = people("Omar", "Wei")
    running = stored_game(players, until=9)
    public = record_of(running)
    with pytest.raises(Refused, match="finished"):
        reckonings.ask_for_record(record=public, now=NOON)
    twin = stored_game(people("Ann", "Bob"), until=9)
    play.resign(game_id=twin.pk, player=twin.to_act.player, now=NOON)  # type: ignore[union-attr]
    twin.refresh_from_db()
    forged = read(write(record_of(twin)))
    for commitment in (running.commitment, "0" * 64):
        # Known by what was published of its seed, or by its board alone.
        Game.objects.filter(pk=running.pk).update(commitment=commitment)
        with pytest.raises(Refused, match="still being played"):
            reckonings.ask_for_record(record=forged, now=NOON)


def test_a_board_is_found_whatever_is_in_the_purses_and_however_many_games_run(
    django_assert_num_queries: Any,
) -> None:
    running = stored_game(people("Omar", "Wei"), until=9)
    state = course_of(running).end.state
    richer = state._replace(dirhams=tuple(each + 1 for each in state.dirhams))
    assert running.sight == sight_of(ruleset("marrakech"), richer)
    other = record_from_outside("marrakech", seed=5)
    for seed in range(6, 9):
        stored_game(people(f"Ann{seed}", f"Bob{seed}"), seed=seed, until=9)
    with django_assert_num_queries(3):
        assert not shows_a_running_game(other)


def test_what_many_games_begin_with_is_nobodys_own_but_known_by_the_players() -> None:
    record = record_from_outside("marrakech", seed=5)
    twin = stored_game(people("Omar", "Wei"), seed=5, until=4)
    Game.objects.filter(pk=twin.pk).update(commitment="0" * 64)
    assert not shows_a_running_game(record)
    assert shows_a_running_game(replace(record, names=("Wei", "Omar")))
    assert not shows_a_running_game(replace(record, names=("Wei", "Ann")))


@pytest.mark.parametrize(
    ("key", "seats", "disguise"),
    [
        ("marrakech", 3, list),
        ("marrakech", 3, across_the_diagonal),
        ("ifrito", 3, list),
        ("ifrito", 2, on_the_other_plane),
    ],
)
def test_no_disguise_helps(key: str, seats: int, disguise: Any) -> None:
    """Other names, no seed, another side of the board: the judge knows it all the same."""
    stored_game(people(*("Omar", "Wei", "Ann")[:seats]), ruleset=key, seed=5, until=21)
    outside = record_from_outside(key, seats, 5)
    for enough, until in ((False, 20), (True, 21), (True, 24)):
        dressed = on_paper(outside, disguise(deeds_of(outside)[:until]))
        assert shows_a_running_game(dressed) == enough, until


def test_nor_does_another_order_of_moves() -> None:
    stored_game(people("Omar", "Wei"), ruleset="ifrito", seed=5, until=9)
    outside = record_from_outside("ifrito", 2, 5)
    deeds = deeds_of(outside)[:9]
    assert all(action.startswith("enter:") for _, action, _ in deeds[:6])
    deeds[0], deeds[2] = deeds[2], deeds[0]
    assert shows_a_running_game(on_paper(outside, deeds))


def test_who_plays_a_running_game_over_again_waits_for_the_judge(
    client: Client, compiled: None
) -> None:
    """No die falls, so two friends can bring about any position, and give up."""
    running = stored_game(people("Omar", "Wei"), ruleset="ifrito", seed=4, until=30)
    again = stored_game(people("Ann", "Bob"), ruleset="ifrito", seed=4, until=31)
    assert again.to_act
    play.resign(game_id=again.pk, player=again.to_act.player, now=NOON)
    again.refresh_from_db()
    row = reckonings.ask(game=again, now=NOON)
    assert reckonings.work(clock=lambda: NOON)
    row.refresh_from_db()
    assert (row.state, row.moments) == ("waiting", [])
    address = reverse("reckoning", args=[again.public_id])
    assert "still being played here" in client.get(address).content.decode()
    assert running.to_act
    play.resign(game_id=running.pk, player=running.to_act.player, now=NOON)
    assert reckonings.work(clock=lambda: NOON + reckonings.WHILE_PLAYED)
    row.refresh_from_db()
    assert row.state == "first"
    assert "first look" in client.get(address).content.decode()


def test_a_record_that_was_brought_in_time_is_not_shown_now(client: Client) -> None:
    outside = record_from_outside("marrakech", seed=5)
    row = reckonings.ask_for_record(record=outside, now=NOON)
    Reckoning.objects.update(state="first", moments=[{}])
    running = stored_game(people("Omar", "Wei"), seed=5, until=40)
    Game.objects.filter(pk=running.pk).update(commitment="0" * 64)
    shown = client.get(reverse("record_reckoning", args=[row.digest])).content.decode()
    assert "still being played here" in shown
    assert "Chances to win" not in shown
