"""A seat lost on time is played on by a bot, where the table agreed on that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games.models import Game, Message, Notice, Player, Seat
from games.selectors.lobby import home_lists, waiting_counts
from games.selectors.stats import profile_of
from games.services import accounts, bots, lobby, play, stand_ins
from games.services.errors import Refused
from games.services.notices import letters
from games.services.notices.parcels import Parcel
from tests.bots_site.conftest import Brains
from tests.people import NOON, new_players, play_on, started_game, sweep, take_turn, whose_turn

pytestmark = pytest.mark.django_db

INCREMENT = timedelta(days=1)
TOO_LATE = NOON + 3 * INCREMENT


def deserted(players: Sequence[Player], *, after: int = 0, **terms: Any) -> tuple[Game, Seat]:
    """A game in which whoever is to act after so many moves lets the time run out."""
    game = started_game(players, on_timeout=Game.OnTimeout.BOT, **terms)
    play_on(game, after)
    late = game.to_act
    assert late
    assert sweep(TOO_LATE) == 1
    game.refresh_from_db()
    late.refresh_from_db()
    return game, late


def bots_play(game: Game, now: datetime = TOO_LATE) -> None:
    bots.play_due(clock=lambda: now)
    game.refresh_from_db()


def next_own_turn(game: Game, late: Seat, now: datetime = TOO_LATE) -> None:
    """All others take a turn, then the stand-in."""
    for _ in range(game.size - 1):
        take_turn(game, now)
    assert game.to_act_id == late.pk
    bots_play(game, now)
    late.refresh_from_db()


def test_the_seat_plays_on(brains: Brains) -> None:
    game, late = deserted(new_players(3))
    assert late.left_by == "timeout"
    assert late.stand_in
    assert late.stand_in.bot_level
    assert not game.moves.exists(), "nothing of it is a move"
    assert game.to_act_id == late.pk
    assert game.deadline is None
    bots_play(game)
    assert {move.seat for move in game.moves.all()} == {late.number}
    assert game.to_act_id != late.pk
    assert game.deadline == TOO_LATE + 3 * INCREMENT


def test_by_default_the_seat_leaves() -> None:
    game = started_game(new_players(3))
    sweep(TOO_LATE)
    assert [move.action for move in game.moves.all()] == ["timeout"]
    assert not game.seats.exclude(stand_in=None).exists()


def test_two_who_leave_get_different_bots(brains: Brains) -> None:
    game, _ = deserted(new_players(3))
    bots_play(game)
    sweep(TOO_LATE + 3 * INCREMENT)
    seats = [seat for seat in game.seats.all() if seat.stand_in_id]
    assert len(seats) == 2
    assert len({seat.stand_in_id for seat in seats}) == 2


def test_the_leaver_decides_nothing_meanwhile() -> None:
    game, late = deserted(new_players(2))
    with pytest.raises(Refused, match="a bot plays on for you"):
        play.play_move(
            game_id=game.pk, player=late.player, action="turn:S", on_move=0, now=TOO_LATE
        )
    with pytest.raises(Refused, match="a bot plays on for you"):
        play.resign(game_id=game.pk, player=late.player, now=TOO_LATE)


def test_all_are_told_and_nobody_else_is_mailed_about_the_turn(brains: Brains) -> None:
    game, late = deserted(new_players(3))
    event = Message.objects.get()
    assert (event.player, event.event) == (late.player, "taken_over")
    told = Notice.objects.filter(kind=Notice.Kind.SEAT_LOST)
    assert {notice.player_id for notice in told} == {seat.player_id for seat in game.seats.all()}
    for notice in told:
        text = letters.write(Parcel((notice,)), now=TOO_LATE).body
        own = "a bot plays on for you" in " ".join(str(text).split())
        assert own == (notice.player_id == late.player_id)
    next_turns = Notice.objects.filter(kind__in=["turn", "half", "last"], player=late.player)
    bots_play(game)
    next_own_turn(game, late)
    assert set(next_turns.values_list("state", flat=True)) <= {"sent", "withdrawn"}


def test_it_waits_for_nothing_on_the_first_page() -> None:
    game, late = deserted(new_players(2))
    assert waiting_counts(late.player) == (0, 0)
    lists = home_lists(late.player)
    assert not lists["turn"].rows
    assert [row.game for row in lists["theirs"].rows] == [game]


class TestTakingBack:
    def test_at_once(self, brains: Brains) -> None:
        game, late = deserted(new_players(2))
        stand_ins.take_back(game_id=game.pk, player=late.player, now=TOO_LATE)
        game.refresh_from_db()
        late.refresh_from_db()
        assert (late.stand_in, late.left_by) == (None, "")
        assert game.deadline == TOO_LATE + INCREMENT
        bots_play(game)
        assert game.move_count == 0, "the bot has left"
        assert whose_turn(game) == late.player
        assert [line.event for line in game.messages.all()] == ["taken_over", "taken_back"]
        play_on(game, 1, now=TOO_LATE)

    def test_after_the_bot_has_moved(self, brains: Brains) -> None:
        game, late = deserted(new_players(2))
        bots_play(game)
        deadline = game.deadline
        stand_ins.take_back(game_id=game.pk, player=late.player, now=TOO_LATE)
        game.refresh_from_db()
        assert game.deadline == deadline, "that of the other player"
        take_turn(game, TOO_LATE)
        assert game.bot_due_at is None
        assert game.deadline == TOO_LATE + INCREMENT

    def test_until_the_next_own_turn_comes_up_a_second_time(self, brains: Brains) -> None:
        game, late = deserted(new_players(2))
        bots_play(game)
        next_own_turn(game, late)
        assert late.may_be_taken_back
        take_turn(game, TOO_LATE)
        late.refresh_from_db()
        assert game.to_act_id == late.pk
        assert not late.may_be_taken_back
        with pytest.raises(Refused, match="too late"):
            stand_ins.take_back(game_id=game.pk, player=late.player, now=TOO_LATE)

    def test_twice_changes_nothing(self) -> None:
        game, late = deserted(new_players(2))
        for _ in range(2):
            stand_ins.take_back(game_id=game.pk, player=late.player, now=TOO_LATE)
        assert game.messages.count() == 2

    def test_a_second_time_out_is_for_good(self) -> None:
        game, late = deserted(new_players(2))
        stand_ins.take_back(game_id=game.pk, player=late.player, now=TOO_LATE)
        sweep(TOO_LATE + INCREMENT)
        late.refresh_from_db()
        assert late.stand_in
        assert not late.may_be_taken_back

    def test_only_the_own_seat(self) -> None:
        players = new_players(3)
        game, late = deserted(players[:2])
        with pytest.raises(Refused, match="no seat"):
            stand_ins.take_back(game_id=game.pk, player=players[2], now=TOO_LATE)
        other = next(player for player in players[:2] if player != late.player)
        stand_ins.take_back(game_id=game.pk, player=other, now=TOO_LATE)
        late.refresh_from_db()
        assert late.stand_in


class TestResult:
    @pytest.fixture
    def over(self, brains: Brains) -> tuple[Game, Seat]:
        """The other gives up, so that the bot wins on the board."""
        game, late = deserted(new_players(2), after=16, rated=True)
        bots_play(game)
        other = game.seats.exclude(pk=late.pk).get()
        play.resign(game_id=game.pk, player=other.player, now=TOO_LATE)
        game.refresh_from_db()
        late.refresh_from_db()
        return game, late

    def test_the_leaver_is_last_however_well_the_bot_did(self, over: tuple[Game, Seat]) -> None:
        game, late = over
        assert game.result
        assert game.result["ranking"][0] == [late.number]
        assert late.place == 2
        assert game.seats.exclude(pk=late.pk).get().place == 1

    def test_the_rating_says_the_same(self, over: tuple[Game, Seat]) -> None:
        game, late = over
        changes = {change.rating.player_id: change for change in game.rating_changes.all()}
        own = changes.pop(late.player_id)
        (other,) = changes.values()
        assert own.mu < own.before
        assert other.mu > other.before

    def test_everything_derived_still_follows(self, over: tuple[Game, Seat]) -> None:
        said = StringIO()
        call_command("verify", "--all", stdout=said)
        assert "ok" in said.getvalue()

    def test_the_page_says_so(self, over: tuple[Game, Seat], client: Client) -> None:
        game, late = over
        page = client.get(f"/g/{game.public_id}/").content.decode()
        assert f"{late.player} lost on time, which is the last place." in page

    def test_a_timeout_counts_against_reliability(self, over: tuple[Game, Seat]) -> None:
        assert profile_of(over[1].player, private_too=True).reliability == 80


def test_bots_finish_what_everybody_left(brains: Brains) -> None:
    game, _ = deserted(new_players(2))
    bots_play(game)
    assert sweep(TOO_LATE + 3 * INCREMENT) == 1
    bots_play(game, TOO_LATE + 3 * INCREMENT)
    assert game.status == Game.Status.OVER
    assert {seat.left_by for seat in game.seats.all()} == {"timeout"}
    assert sorted(seat.place or 0 for seat in game.seats.all()) == [1, 2]


def test_a_deserted_account_can_be_deleted(brains: Brains) -> None:
    game, late = deserted(new_players(3))
    accounts.delete_account(player=late.player, now=TOO_LATE)
    bots_play(game)
    assert game.status == Game.Status.RUNNING
    assert not game.moves.filter(action="resign").exists()


def test_the_rematch_is_with_the_people(brains: Brains) -> None:
    game, late = deserted(new_players(2))
    other = game.seats.exclude(pk=late.pk).get().player
    bots_play(game)
    play.resign(game_id=game.pk, player=other, now=TOO_LATE)
    again = lobby.rematch(game_id=game.pk, player=other, now=TOO_LATE)
    assert again.on_timeout == Game.OnTimeout.BOT
    assert [each.player for each in again.invitations.all()] == [late.player]


class TestPages:
    def test_the_others_read_who_plays_on(self, client: Client) -> None:
        game, late = deserted(new_players(2))
        page = client.get(f"/g/{game.public_id}/").content.decode()
        assert f"{late.player} ran out of time: Merchant (a bot) plays on." in page
        assert "lost on time, Merchant plays on" in page
        assert "Waiting for Merchant" in page
        assert "ran out of time. A bot plays on." in page
        assert "Take my seat back" not in page

    def test_the_leaver_takes_the_seat_back(self, client: Client) -> None:
        game, late = deserted(new_players(2))
        client.force_login(late.player)
        page = client.get(f"/g/{game.public_id}/").content.decode()
        assert "Take my seat back" in page
        assert "Give up" not in page
        client.post(f"/g/{game.public_id}/back/")
        assert "Which way should Assam go?" in client.get(f"/g/{game.public_id}/").content.decode()
