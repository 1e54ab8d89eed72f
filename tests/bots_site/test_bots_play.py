"""Bots sit at tables and pay what they owe."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection

from games.models import BotLevel, Game, Move, Notice, Player
from games.services import bot_seats, bots, lobby, play, seating, stand_ins
from games.services.errors import Refused
from tests.bots_site.conftest import Brains
from tests.people import NOON, new_player, new_players, open_game, play_on, started_game, sweep

pytestmark = pytest.mark.django_db


def at(moment: datetime = NOON) -> Callable[[], datetime]:
    return lambda: moment


def against_bots(player: Player, opponents: int = 1, **wishes: Any) -> Game:
    terms = {"ruleset": "marrakech", "level": "merchant", "now": NOON, **wishes}
    return lobby.play_against_bots(player=player, opponents=opponents, **terms)


def until_own_turn(game: Game) -> None:
    bots.play_due(clock=at())
    game.refresh_from_db()


@pytest.mark.parametrize("ruleset", ["marrakech", "ifrito"])
@pytest.mark.parametrize("opponents", [1, 2, 3])
def test_a_game_against_bots_starts_at_once(ruleset: str, opponents: int) -> None:
    yasmin = new_player("Yasmin")
    game = against_bots(yasmin, opponents, ruleset=ruleset, level="vizier")
    game.refresh_from_db()
    others = [seat.player for seat in game.seats.all() if seat.player != yasmin]
    assert game.status == Game.Status.RUNNING
    assert (game.rated, game.pace, game.visibility) == (False, "none", "link")
    assert {bot.bot_level for bot in others} == {"vizier"}
    assert len({bot.pk for bot in others}) == opponents
    assert not any(bot.has_usable_password() or bot.email for bot in others)


def test_the_names_of_bots_tell_them_apart() -> None:
    made = bot_seats.bots_of(BotLevel.VIZIER, 3)
    assert [bot.username for bot in made] == ["Vizier", "Vizier-2", "Vizier-3"]
    assert [str(bot) for bot in made] == ["Vizier", "Vizier 2", "Vizier 3"]
    assert bot_seats.bots_of(BotLevel.VIZIER, 2, besides=[made[0].pk]) == made[1:]
    grand = bot_seats.bots_of(BotLevel.GRAND_VIZIER, 2)
    assert [bot.username for bot in grand] == ["Grand-Vizier", "Grand-Vizier-2"]
    assert [str(bot) for bot in grand] == ["Grand Vizier", "Grand Vizier 2"]


def test_a_person_who_had_the_name_first_keeps_it() -> None:
    vizier = new_player("Vizier")
    assert [bot.username for bot in bot_seats.bots_of(BotLevel.VIZIER, 1)] == ["Vizier-2"]
    vizier.refresh_from_db()
    assert not vizier.bot_level


def test_bots_play_until_a_person_is_to_act(brains: Brains) -> None:
    game = against_bots(new_player("Yasmin"), 3)
    for _ in range(6):
        until_own_turn(game)
        assert game.to_act
        assert not game.to_act.player.bot_level
        assert game.bot_due_at is None
        play_on(game, 1)
    assert {level for level, *_ in brains.asked} == {"merchant"}


def test_a_bot_sees_what_its_seat_may_see(brains: Brains) -> None:
    game = against_bots(new_player("Yasmin"))
    until_own_turn(game)
    play_on(game, 2)
    until_own_turn(game)
    for _, observation, _ in brains.asked:
        acting = observation["pending"]["seat"]
        assert game.seats.get(number=acting).player.bot_level
        assert observation["viewer"] == acting


def test_each_decision_has_dice_of_its_own(brains: Brains) -> None:
    game = against_bots(new_player("Yasmin"), 3)
    for _ in range(3):
        until_own_turn(game)
        play_on(game, 1)
    seeds = [seed for *_, seed in brains.asked]
    assert len(seeds) == len(set(seeds)) > 3
    assert all(seed.to_bytes(8) not in bytes(game.seed) for seed in seeds)


def no_idea(*_: Any) -> str:
    raise RuntimeError("no idea")


def nonsense(*_: Any) -> str:
    return "lay:z9z9"


@pytest.mark.parametrize("brain", [no_idea, nonsense])
def test_a_brain_that_fails_costs_a_move_and_not_the_game(
    brain: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    brains: Brains,
) -> None:
    monkeypatch.setattr("games.bots.choose", brain)
    game = against_bots(new_player("Yasmin"), 3)
    play_on_if_mine(game)
    until_own_turn(game)
    assert game.to_act
    assert not game.to_act.player.bot_level
    assert "cannot decide" in caplog.text


def test_a_seat_that_is_taken_back_while_the_bot_thinks(
    monkeypatch: pytest.MonkeyPatch, brains: Brains
) -> None:
    game = started_game(new_players(2), on_timeout=Game.OnTimeout.BOT)
    assert game.to_act
    late, then = game.to_act.player, NOON + timedelta(days=3)
    sweep(then)

    def slow(level: str, observation: Any, seed: int) -> str:
        stand_ins.take_back(game_id=game.pk, player=late, now=then)
        return str(observation["legal"][0])

    monkeypatch.setattr("games.bots.choose", slow)
    assert bots.play_due(clock=at(then)) == 1
    game.refresh_from_db()
    assert (game.move_count, game.bot_due_at) == (0, None)


def test_a_worker_that_dies_only_delays(monkeypatch: pytest.MonkeyPatch, brains: Brains) -> None:
    game = against_bots(new_player("Yasmin"), 3)
    play_on_if_mine(game)
    working = bots._play
    monkeypatch.setattr(bots, "_play", lambda *_: None)  # claimed, and nothing more was heard
    assert bots.play_due(clock=at()) == 1
    monkeypatch.setattr(bots, "_play", working)
    assert bots.play_due(clock=at(NOON + bots.LEASE - timedelta(seconds=1))) == 0
    assert bots.play_due(clock=at(NOON + bots.LEASE)) > 0
    game.refresh_from_db()
    assert game.to_act
    assert not game.to_act.player.bot_level


def play_on_if_mine(game: Game) -> None:
    game.refresh_from_db()
    while game.to_act and not game.to_act.player.bot_level:
        play_on(game, 1)


def test_bots_get_no_mail_and_have_no_clock(brains: Brains) -> None:
    yasmin = new_player("Yasmin")
    game = open_game(yasmin, 3, fill_level="apprentice", pace=Game.Pace.BRISK)
    lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
    for _ in range(4):
        play_on_if_mine(game)
        assert game.bot_due_at is not None
        assert game.deadline is None
        until_own_turn(game)
        assert game.deadline == NOON + timedelta(hours=36)
    assert sweep(NOON + timedelta(hours=1)) == 0
    assert set(Notice.objects.values_list("player__username", flat=True)) <= {"Yasmin"}


def test_a_whole_game_is_played_and_counted(brains: Brains) -> None:
    game = against_bots(new_player("Yasmin"), 1)
    while game.status == Game.Status.RUNNING:
        until_own_turn(game)
        if game.status == Game.Status.RUNNING:
            play_on(game, 1)
    assert game.result
    assert game.bot_due_at is None
    assert {seat.place for seat in game.seats.all()} <= {1, 2}


class TestFilling:
    def test_the_creator_starts_with_bots_in_the_empty_seats(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 4, fill_level="merchant")
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=NOON)
        with pytest.raises(Refused, match="Only the player who opened"):
            lobby.fill_with_bots(game_id=game.pk, player=omar, now=NOON)
        lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING
        assert [seat.player.bot_level for seat in game.seats.order_by("joined")] == [
            *("", ""),
            *("merchant", "merchant"),
        ]

    def test_not_where_the_terms_say_no(self) -> None:
        yasmin = new_player("Yasmin")
        game = open_game(yasmin, 3)
        with pytest.raises(Refused, match="No bots may join"):
            lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)

    def test_not_twice(self) -> None:
        yasmin = new_player("Yasmin")
        game = open_game(yasmin, 3, fill_level="merchant")
        lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
        with pytest.raises(Refused, match="started already"):
            lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
        assert game.seats.count() == 3

    def test_a_game_with_bots_is_never_rated(self) -> None:
        yasmin = new_player("Yasmin")
        with pytest.raises(Refused, match="always casual"):
            open_game(yasmin, 3, fill_level="merchant", rated=True)
        game = open_game(yasmin, 3, rated=True)
        with pytest.raises(IntegrityError):
            Game.objects.filter(pk=game.pk).update(fill_level="merchant")

    def test_bots_are_not_invited(self) -> None:
        (bot,) = bot_seats.bots_of(BotLevel.VIZIER, 1)
        with pytest.raises(Refused, match="Bots are not invited"):
            open_game(new_player("Yasmin"), visibility="named", invited=[bot])

    @pytest.mark.parametrize("wishes", [{"fill_level": "genius"}, {"on_timeout": "wait"}])
    def test_only_what_exists_can_be_agreed_on(self, wishes: dict[str, Any]) -> None:
        with pytest.raises(Refused):
            open_game(new_player("Yasmin"), **wishes)


class TestRematch:
    def test_bots_are_back_at_once(self) -> None:
        yasmin = new_player("Yasmin")
        game = against_bots(yasmin, 2)
        play.resign(game_id=game.pk, player=yasmin, now=NOON)
        finish(game)
        again = lobby.rematch(game_id=game.pk, player=yasmin, now=NOON)
        again.refresh_from_db()
        assert again.status == Game.Status.RUNNING
        assert {seat.player_id for seat in again.seats.all()} == {
            seat.player_id for seat in game.seats.all()
        }

    def test_people_are_asked_and_bots_just_come(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 3, fill_level="merchant")
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=NOON)
        lobby.fill_with_bots(game_id=game.pk, player=yasmin, now=NOON)
        for player in (yasmin, omar):
            play.resign(game_id=game.pk, player=player, now=NOON)
        again = lobby.rematch(game_id=game.pk, player=yasmin, now=NOON)
        assert again.status == Game.Status.OPEN
        assert [each.player for each in again.invitations.all()] == [omar]
        again = lobby.rematch(game_id=game.pk, player=omar, now=NOON)
        assert again.status == Game.Status.RUNNING


def finish(game: Game) -> None:
    """Bots alone play to the end."""
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        play_on(game, 1)


def test_nobody_plays_more_games_against_bots_than_allowed() -> None:
    yasmin = new_player("Yasmin")
    for _ in range(seating.MAX_BOT_GAMES):
        against_bots(yasmin)
    with pytest.raises(Refused, match="finish or give up one first"):
        against_bots(yasmin)


def test_a_person_cannot_move_for_a_bot(brains: Brains) -> None:
    yasmin = new_player("Yasmin")
    game = against_bots(yasmin, 3)
    play_on_if_mine(game)
    with pytest.raises(Refused):
        play.play_move(
            game_id=game.pk, player=yasmin, action="turn:S", on_move=game.move_count, now=NOON
        )


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
class TestManyWorkers:
    def run(self, workers: int) -> list[int]:
        def work(_: int) -> int:
            try:
                return bots.play_due(clock=at())
            finally:
                connection.close()

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(work, range(workers)))

    def test_each_decision_is_worked_out_once(self, brains: Brains) -> None:
        yasmin = new_player("Yasmin")
        games = [against_bots(yasmin, 3) for _ in range(4)]
        for game in games:
            play_on_if_mine(game)
        before = Move.objects.count()
        self.run(6)
        played = Move.objects.count() - before
        assert played == len(brains.asked) > 0
        for game in games:
            game.refresh_from_db()
            assert game.bot_due_at is None

    def test_a_decision_counts_once_even_if_all_work_it_out(
        self, brains: Brains, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without the claim: the control that shows the workers really meet."""
        monkeypatch.setattr(
            bots,
            "_claim",
            lambda rows, due, now: rows.filter(**{f"{due}__lte": now}).first(),
        )
        game = against_bots(new_player("Yasmin"), 3)
        play_on_if_mine(game)
        before = game.move_count
        self.run(6)
        game.refresh_from_db()
        assert len(brains.asked) > game.move_count - before
        assert list(game.moves.values_list("number", flat=True)) == list(
            range(1, game.move_count + 1)
        )


def test_started_games_of_people_wait_for_no_bot() -> None:
    assert started_game(new_players(2)).bot_due_at is None


@pytest.mark.parametrize(("level", "compiles"), [("apprentice", False), ("vizier", True)])
def test_only_bots_that_must_be_compiled_have_it_done(
    level: str, compiles: bool, monkeypatch: pytest.MonkeyPatch, brains: Brains
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("games.bots.ready", lambda: False)
    monkeypatch.setattr(bots, "compile_meanwhile", lambda: asked.append(level))
    game = against_bots(new_player("Yasmin"), level=level)
    play_on_if_mine(game)
    until_own_turn(game)
    assert brains.asked, "the others need not wait for it"
    assert bool(asked) == compiles
