"""Opening, joining, leaving and calling off a game."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest

from games.engine import chance
from games.models import Game, Invitation, Player, Seat
from games.services import lobby, seating
from games.services.errors import Refused
from games.services.luck import lucky_word
from tests.people import NOON, new_player, new_players, open_game, started_game

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(days=1)
TOO_LATE = NOON + seating.OPEN_FOR


def join(game: Game, player: Player, entropy: str = "mint", now=LATER) -> Game:
    return lobby.join_game(game_id=game.pk, player=player, entropy=entropy, now=now)


def seats(game: Game) -> list[tuple[str, int]]:
    return [(seat.player.username, seat.joined) for seat in game.seats.order_by("joined")]


class TestCreate:
    def test_seals_the_dice_before_anybody_joins(self) -> None:
        game = open_game(new_player("Yasmin"))
        assert len(bytes(game.seed)) == 32
        assert game.commitment == hashlib.sha256(bytes(game.seed)).hexdigest()
        assert game.expires_at == NOON + timedelta(days=14)
        assert seats(game) == [("Yasmin", 0)]

    def test_every_game_has_a_seed_of_its_own(self) -> None:
        yasmin = new_player("Yasmin")
        assert bytes(open_game(yasmin).seed) != bytes(open_game(yasmin).seed)

    def test_completes_the_options(self) -> None:
        game = open_game(new_player("Yasmin"), options={"turning": "after"})
        assert game.options == {"insolvency": "out", "turning": "after", "cover_own": False}
        assert game.edition == "international-after"

    @pytest.mark.parametrize(
        ("options", "wished", "edition"),
        [
            ({}, "", "international"),
            ({}, "polish-advanced", "polish-advanced"),
            ({"insolvency": "play_on"}, "romanian", "romanian"),
            ({"insolvency": "play_on"}, "custom", "polish"),
            ({"cover_own": True}, "custom", "custom"),
        ],
    )
    def test_the_edition_follows_from_the_options(self, options, wished, edition) -> None:
        game = open_game(new_player("Yasmin"), options=options, edition=wished)
        assert game.edition == edition

    @pytest.mark.parametrize(
        "wishes",
        [
            {"ruleset": "chess"},
            {"size": 5},
            {"size": 1},
            {"options": {"insolvency": "beg"}},
            {"options": {"wishes": 3}},
            {"options": {"cover_own": 1}},
            {"edition": "french"},
            {"edition": "polish"},
            {"pace": "hasty"},
            {"pace": "none", "rated": True},
            {"visibility": "secret"},
            {"visibility": "named"},
            {"entropy": "two words"},
            {"entropy": "x" * 33},
            {"entropy": "word\n"},
            {"entropy": "mięta"},
        ],
        ids=str,
    )
    def test_refuses_what_makes_no_game(self, wishes) -> None:
        with pytest.raises(Refused, match=r"\w+ .*\."):
            open_game(new_player("Yasmin"), **wishes)
        assert not Game.objects.exists()

    def test_a_casual_game_needs_no_clock(self) -> None:
        assert open_game(new_player("Yasmin"), pace="none", rated=False).pace == "none"

    def test_invites_the_named_players(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, 3, visibility="named", invited=[omar, ileana], rated=True)
        assert {each.player for each in game.invitations.all()} == {omar, ileana}

    def test_refuses_guests_who_cannot_come(self) -> None:
        yasmin, omar, ileana = new_players(3)
        gone = new_player("Gone", is_active=False)
        for guests in ([yasmin], [omar, omar], [omar, ileana], [gone]):
            with pytest.raises(Refused):
                open_game(yasmin, 2, visibility="named", invited=guests)
        with pytest.raises(Refused, match="Name 2 players"):
            open_game(yasmin, 3, visibility="named", invited=[omar])
        assert not Game.objects.exists()

    def test_nobody_floods_the_lobby(self) -> None:
        yasmin, omar = new_players(2)
        games = [open_game(yasmin) for _ in range(lobby.MAX_OPEN_GAMES)]
        with pytest.raises(Refused, match="20 open games"):
            open_game(yasmin)
        join(games[0], omar)
        assert open_game(yasmin).status == Game.Status.OPEN


class TestJoin:
    def test_the_last_seat_starts_the_game(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, 3, entropy="saffron")
        assert join(game, omar, "mint").status == Game.Status.OPEN
        join(game, ileana, "clove")
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING
        assert game.started_at == LATER
        order = chance.seating(bytes(game.seed), ["saffron", "mint", "clove"])
        by_number = game.seats.order_by("number")
        assert [seat.joined for seat in by_number] == list(order)
        assert [seat.number for seat in by_number] == [0, 1, 2]
        assert game.to_act == by_number[0]
        assert game.to_act_kind == "turn"

    def test_joining_twice_is_joining_once(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 3)
        join(game, omar, "mint")
        join(game, omar, "clove")
        join(game, yasmin)
        assert seats(game) == [("Yasmin", 0), ("Omar", 1)]
        assert game.seats.get(player=omar).entropy == "mint"

    def test_refuses_when_all_seats_are_taken(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = started_game([yasmin, omar])
        with pytest.raises(Refused, match="started already"):
            join(game, ileana)
        assert game.seats.count() == 2

    def test_refuses_when_the_game_is_called_off_or_too_old(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin)
        with pytest.raises(Refused, match="no longer open"):
            join(game, omar, now=TOO_LATE)
        lobby.cancel_game(game_id=game.pk, player=yasmin, now=LATER)
        with pytest.raises(Refused, match="no longer open"):
            join(game, omar)
        assert game.seats.count() == 1

    def test_refuses_a_bad_word(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin)
        with pytest.raises(Refused, match="hyphens"):
            join(game, omar, "a,b")
        assert game.seats.count() == 1

    def test_named_games_are_for_named_players(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, visibility="named", invited=[omar])
        with pytest.raises(Refused, match="creator named"):
            join(game, ileana)
        assert join(game, omar).status == Game.Status.RUNNING

    def test_an_invitation_holds_a_seat_until_it_is_declined(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, invited=[omar])
        with pytest.raises(Refused, match="kept for invited"):
            join(game, ileana)
        lobby.decline_invitation(game_id=game.pk, player=omar, now=LATER)
        assert join(game, ileana).status == Game.Status.RUNNING

    def test_who_declined_may_think_again(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, visibility="named", invited=[omar])
        lobby.decline_invitation(game_id=game.pk, player=omar, now=LATER)
        assert join(game, omar).status == Game.Status.RUNNING
        assert game.invitations.get().declined_at is None


class TestLeave:
    def test_those_who_came_later_move_up(self) -> None:
        yasmin, omar, ileana, wei = new_players(4)
        game = open_game(yasmin, 4)
        for player in (omar, ileana):
            join(game, player)
        lobby.leave_game(game_id=game.pk, player=omar, now=LATER)
        join(game, wei)
        assert seats(game) == [("Yasmin", 0), ("Ileana", 1), ("Wei", 2)]
        assert join(game, omar).status == Game.Status.RUNNING

    def test_refuses_strangers_creators_and_started_games(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin)
        with pytest.raises(Refused, match="no seat"):
            lobby.leave_game(game_id=game.pk, player=omar, now=LATER)
        with pytest.raises(Refused, match="cancel it"):
            lobby.leave_game(game_id=game.pk, player=yasmin, now=LATER)
        join(game, ileana)
        with pytest.raises(Refused, match="started already"):
            lobby.leave_game(game_id=game.pk, player=ileana, now=LATER)
        assert game.seats.count() == 2

    def test_only_the_creator_cancels_and_only_before_the_start(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin)
        with pytest.raises(Refused, match="Only the player who opened"):
            lobby.cancel_game(game_id=game.pk, player=omar, now=LATER)
        join(game, omar)
        with pytest.raises(Refused, match="started already"):
            lobby.cancel_game(game_id=game.pk, player=yasmin, now=LATER)
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING

    def test_declining_needs_an_invitation_and_no_seat(self) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, 3, invited=[omar])
        with pytest.raises(Refused, match="not invited"):
            lobby.decline_invitation(game_id=game.pk, player=ileana, now=LATER)
        join(game, omar)
        with pytest.raises(Refused, match="leave it"):
            lobby.decline_invitation(game_id=game.pk, player=omar, now=LATER)
        join(game, ileana)
        with pytest.raises(Refused, match="started already"):
            lobby.decline_invitation(game_id=game.pk, player=omar, now=LATER)
        assert Invitation.objects.get().declined_at is None


class TestExpiry:
    def test_open_games_expire_after_fourteen_days(self, django_assert_num_queries) -> None:
        yasmin, omar = new_players(2)
        old, running = open_game(yasmin), started_game([yasmin, omar])
        fresh = open_game(yasmin, now=NOON + timedelta(seconds=1))
        with django_assert_num_queries(2):
            assert lobby.expire_open_games(now=TOO_LATE) == 1
        statuses = {game.pk: game.status for game in Game.objects.all()}
        assert statuses == {old.pk: "expired", running.pk: "running", fresh.pk: "open"}

    def test_the_task_runs_it(self) -> None:
        from games import tasks

        game = open_game(new_player("Yasmin"), now=NOON - timedelta(days=4000))
        tasks.expire_open_games()
        game.refresh_from_db()
        assert game.status == Game.Status.EXPIRED

    def test_a_game_past_its_day_can_still_be_cleared_away(self) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 3)
        join(game, omar)
        lobby.leave_game(game_id=game.pk, player=omar, now=TOO_LATE)
        lobby.cancel_game(game_id=game.pk, player=yasmin, now=TOO_LATE)
        game.refresh_from_db()
        assert game.status == Game.Status.CANCELLED


def test_lucky_words_are_words_the_dice_accept() -> None:
    words = {lucky_word() for _ in range(50)}
    assert len(words) > 40
    for word in words:
        Seat(entropy=word).clean_fields(exclude=["game", "player", "joined", "joined_at"])
