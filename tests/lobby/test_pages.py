"""The pages of the lobby: first pages, lists of games, profiles, the icon."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Block, Game, Player
from games.services import blocks, play
from tests.lobby.conftest import text
from tests.people import new_player, new_players, open_game, signed_in, started_game, whose_turn

pytestmark = pytest.mark.django_db


class TestHome:
    def test_welcomes_visitors_with_games(self, now) -> None:
        yasmin, omar = new_players(2)
        assert "Sign up" in text(Client().get("/"))
        started_game([yasmin, omar], now=now)
        open_game(yasmin, now=now)
        page = text(Client().get("/"))
        assert "In play right now" in page
        assert "Players wanted" in page
        assert "<svg" in page

    def test_each_game_stands_in_its_list(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        running = started_game([yasmin, omar], now=now)
        over = started_game([yasmin, omar], now=now)
        play.resign(game_id=over.pk, player=omar, now=now)
        mine = open_game(yasmin, now=now)
        invitation = open_game(ileana, visibility="named", invited=[yasmin], now=now)
        lists = signed_in(yasmin).get("/").context["lists"]
        found = {name: [row.game for row in listing.rows] for name, listing in lists.items()}
        turn, theirs = ([running], []) if whose_turn(running) == yasmin else ([], [running])
        assert found == {
            "turn": turn,
            "theirs": theirs,
            "open": [mine],
            "invited": [invitation],
            "finished": [over],
        }
        assert lists["finished"].rows[0].mine.place == 1

    def test_least_time_left_comes_first_and_no_clock_last(self, now) -> None:
        yasmin, omar = new_players(2)
        games = [started_game([yasmin, omar], now=now) for _ in range(4)]
        waits = {
            0: (now + timedelta(days=2), now),
            1: (None, now),
            2: (None, now - timedelta(days=9)),
            3: (now + timedelta(hours=1), now),
        }
        for number, (deadline, acted_at) in waits.items():
            Game.objects.filter(pk=games[number].pk).update(
                to_act=games[number].seats.get(player=yasmin), deadline=deadline, acted_at=acted_at
            )
        client = signed_in(yasmin)
        page = client.get("/")
        order = [row.game for row in page.context["lists"]["turn"].rows]
        assert order == [games[3], games[0], games[2], games[1]]
        assert all(row.board for row in page.context["lists"]["turn"].rows)
        assert "<title>(4) " in text(page)
        assert "favicon.svg?n=4" in text(page)
        assert client.get("/next/")["Location"] == games[3].get_absolute_url()
        following = client.get("/next/", {"after": games[3].public_id})
        assert following["Location"] == games[0].get_absolute_url()

    def test_next_goes_home_when_nothing_else_waits(self, now) -> None:
        yasmin, omar = new_players(2)
        assert signed_in(yasmin).get("/next/")["Location"] == "/"
        game = started_game([yasmin, omar], now=now)
        client = signed_in(whose_turn(game))
        assert client.get("/next/")["Location"] == game.get_absolute_url()
        assert client.get("/next/", {"after": game.public_id})["Location"] == "/"

    def test_declines_an_invitation(self, now) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, visibility="named", invited=[omar], now=now)
        client = signed_in(omar)
        assert "You are invited" in text(client.get("/"))
        client.post(f"/g/{game.public_id}/decline/")
        assert "You are invited" not in text(client.get("/"))

    @pytest.mark.parametrize("which", ["turn", "theirs", "open", "invited", "finished"])
    def test_every_list_can_be_seen_in_full(self, which, now) -> None:
        yasmin, omar = new_players(2)
        started_game([yasmin, omar], now=now)
        client = signed_in(yasmin)
        assert client.get(f"/games/mine/{which}/").status_code == 200
        assert client.get(f"/games/mine/{which}/", {"page": "9"}).status_code == 200
        assert client.get("/games/mine/lost/").status_code == 404

    def test_long_lists_lead_to_more(self, now) -> None:
        yasmin = new_player("Yasmin")
        for _ in range(13):
            open_game(yasmin, now=now)
        page = signed_in(yasmin).get("/")
        assert len(page.context["lists"]["open"].rows) == 12
        assert "/games/mine/open/" in text(page)


class TestLobby:
    def test_filters_narrow_both_lists(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        two, three = open_game(yasmin, now=now), open_game(yasmin, 3, pace="slow", now=now)
        running = started_game([yasmin, omar], now=now)
        client = signed_in(ileana)

        def shown(**query: str) -> tuple[set[Game], set[Game]]:
            context = client.get("/games/", query).context
            return (
                {row.game for row in context["open"].rows},
                {row.game for row in context["running"].rows},
            )

        assert shown() == ({two, three}, {running})
        assert shown(size="2") == ({two}, {running})
        assert shown(pace="slow") == ({three}, set())
        assert shown(rated="yes") == (set(), set())
        assert shown(rated="no", game="marrakech") == ({two, three}, {running})
        assert shown(size="99", pace="x", game="y", rated="z") == ({two, three}, {running})

    def test_pages_through_many_games(self, now) -> None:
        for number in range(2):
            creator = new_player(f"Host{number}")
            for _ in range(11):
                open_game(creator, now=now)
        first = Client().get("/games/", {"size": "2"})
        assert len(first.context["open"].rows) == 20
        assert "?size=2&amp;page=2" in text(first)
        second = Client().get("/games/", {"page": "2"})
        assert len(second.context["open"].rows) == 2
        for page in ("0", "-1", "x", "²", "99999999999999999999"):
            assert Client().get("/games/", {"page": page}).status_code == 200

    def test_hidden_games_are_in_no_list(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        secret = [
            started_game([yasmin, omar], visibility=visibility, invited=[omar], now=now)
            for visibility in ("link", "named")
        ]
        for client in (Client(), signed_in(ileana)):
            pages = [client.get(url) for url in ("/", "/games/", "/players/Yasmin/")]
            for game in secret:
                assert all(game.public_id not in text(page) for page in pages)


class TestProfile:
    def test_is_found_in_any_case(self) -> None:
        new_player("Yasmin", display_name="Yasmin the Weaver")
        assert Client().get("/players/yASMIN/")["Location"] == "/players/Yasmin/"
        page = Client().get("/players/Yasmin/")
        assert "Yasmin the Weaver" in text(page)
        assert Client().get("/players/nobody/").status_code == 404

    def test_counts_public_games_only(self, now) -> None:
        yasmin, omar = new_players(2)
        for visibility in ("public", "link"):
            game = started_game([yasmin, omar], visibility=visibility, now=now)
            play.resign(game_id=game.pk, player=omar, now=now)
        started_game([yasmin, omar], now=now)
        page = Client().get("/players/Yasmin/")
        profile = page.context["profile"]
        assert (page.context["in_play"], profile.games, profile.won) == (1, 1, 1)
        assert [row.game.visibility for row in page.context["last"]] == ["public"]
        assert "Won" in text(page)

    def test_blocks_and_unblocks(self) -> None:
        yasmin, omar = new_players(2)
        client = signed_in(yasmin)
        assert "?challenge=Omar" in text(client.get("/players/Omar/"))
        page = text(client.post("/players/omar/block/", follow=True))
        assert Block.objects.get().blocked == omar
        assert "/players/Omar/unblock/" in page
        assert "?challenge=Omar" not in page
        client.post("/players/Omar/unblock/")
        assert not Block.objects.exists()
        own = client.post("/players/Yasmin/block/", follow=True)
        assert "You cannot block yourself." in text(own)
        assert client.get("/players/Omar/block/").status_code == 405
        assert Client().post("/players/Omar/block/").status_code == 302

    def test_a_block_is_not_shown_to_the_blocked(self) -> None:
        yasmin, omar = new_players(2)
        blocks.block_player(blocker=yasmin, blocked=omar, now=timezone.now())
        page = text(signed_in(omar).get("/players/Yasmin/"))
        assert "?challenge=Yasmin" in page
        assert "Unblock" not in page

    def test_former_players_have_no_name(self, now) -> None:
        yasmin, omar = new_players(2)
        game = started_game([yasmin, omar], now=now)
        play.resign(game_id=game.pk, player=omar, now=now)
        Player.objects.filter(pk=yasmin.pk).update(
            deleted_at=now, username="gone-1", is_active=False
        )
        page = text(signed_in(omar).get("/players/gone-1/"))
        assert "<h1>Former player</h1>" in page
        assert "challenge" not in page
        assert "Former player" in text(Client().get("/players/Omar/"))


class TestFavicon:
    @pytest.mark.parametrize(
        ("given", "shown"),
        [("3", ">3<"), ("12", ">12<"), ("250", ">99<"), ("0", None), ("x", None), ("²", None)],
    )
    def test_shows_how_many_games_wait(self, given, shown, django_assert_num_queries) -> None:
        with django_assert_num_queries(0):
            answer = Client().get("/favicon.svg", {"n": given})
        assert answer["Content-Type"] == "image/svg+xml"
        assert "max-age" in answer["Cache-Control"]
        assert (shown in text(answer)) if shown else ("<text" not in text(answer))
