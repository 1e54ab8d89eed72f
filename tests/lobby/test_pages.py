"""The pages of the lobby: what they show, and what bad input does to them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Block, Game, Player
from games.services import blocks, lobby, play
from tests.accounts.conftest import last_code
from tests.people import new_player, new_players, open_game, started_game, whose_turn

pytestmark = pytest.mark.django_db

TERMS = {
    "game": "marrakech",
    "size": "2",
    "edition": "international",
    "pace": "daily",
    "visibility": "public",
    "rated": "yes",
    "entropy": "saffron",
}


@pytest.fixture
def now():
    return timezone.now()


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(player, "allauth.account.auth_backends.AuthenticationBackend")
    return client


def text(response) -> str:
    return response.content.decode()


class TestNewGame:
    url = "/games/new/"

    def test_offers_every_edition_option_and_pace(self) -> None:
        page = text(signed_in(new_player("Yasmin")).get(self.url))
        for field in ('value="polish-advanced-after"', 'name="option-cover_own"', 'value="slow"'):
            assert field in page
        assert "Every turn adds 12 hours. You start with 36 hours and never hold more." in page

    def test_opens_the_game_that_was_asked_for(self) -> None:
        yasmin = new_player("Yasmin")
        answer = signed_in(yasmin).post(self.url, TERMS)
        game = Game.objects.get()
        assert answer["Location"] == reverse("table", args=[game.public_id])
        assert (game.creator, game.size, game.pace, game.visibility, game.rated) == (
            yasmin,
            2,
            "daily",
            "public",
            True,
        )
        assert game.seats.get().entropy == "saffron"

    def test_an_edition_brings_its_own_rules(self) -> None:
        sent = {**TERMS, "edition": "polish-after", "option-cover_own": "true"}
        signed_in(new_player("Yasmin")).post(self.url, sent)
        assert Game.objects.get().options == {
            "insolvency": "play_on",
            "turning": "after",
            "cover_own": False,
        }

    def test_own_rules_are_taken_one_by_one(self) -> None:
        sent = {**TERMS, "edition": "custom", "option-cover_own": "true", "option-turning": "after"}
        signed_in(new_player("Yasmin")).post(self.url, sent)
        game = Game.objects.get()
        assert game.options == {"insolvency": "out", "turning": "after", "cover_own": True}
        assert game.edition == "custom"

    def test_a_game_without_clock_is_casual(self) -> None:
        signed_in(new_player("Yasmin")).post(self.url, {**TERMS, "pace": "none"})
        assert Game.objects.get().rated is False

    def test_names_players_whatever_the_case_of_their_names(self) -> None:
        yasmin, omar, ileana = new_players(3)
        sent = {**TERMS, "size": "3", "visibility": "named", "invited": "OMAR, ileana"}
        signed_in(yasmin).post(self.url, sent)
        guests = {each.player for each in Game.objects.get().invitations.all()}
        assert guests == {omar, ileana}

    def test_names_count_only_where_players_are_named(self) -> None:
        yasmin, _ = new_players(2)
        signed_in(yasmin).post(self.url, {**TERMS, "invited": "omar"})
        assert not Game.objects.get().invitations.exists()

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"size": "7"}, "Select a valid choice"),
            ({"size": "x"}, "Select a valid choice"),
            ({"edition": "french"}, "Select a valid choice"),
            ({"edition": "custom", "option-turning": "never"}, "rule options do not exist"),
            ({"edition": "custom", "option-x": "y"}, "rule options do not exist"),
            ({"pace": "hasty"}, "Select a valid choice"),
            ({"visibility": "secret"}, "Select a valid choice"),
            ({"visibility": "named"}, "Name 1 player"),
            ({"visibility": "named", "invited": "Nobody"}, "Nobody here is called Nobody."),
            ({"visibility": "named", "invited": "yasmin"}, "invite others"),
            ({"visibility": "named", "invited": "omar omar"}, "only once"),
            ({"rated": "maybe"}, "Select a valid choice"),
            ({"entropy": "no spaces"}, "hyphens"),
            ({"entropy": ""}, "This field is required"),
        ],
        ids=str,
    )
    def test_bad_input_is_explained_and_opens_nothing(self, change, told) -> None:
        yasmin, _ = new_players(2)
        answer = signed_in(yasmin).post(self.url, {**TERMS, **change})
        assert answer.status_code == 422
        assert told in text(answer)
        assert not Game.objects.exists()

    def test_an_empty_form_is_no_accident(self) -> None:
        assert signed_in(new_player("Yasmin")).post(self.url).status_code == 422

    def test_an_unknown_game_falls_back_to_the_first(self) -> None:
        assert signed_in(new_player("Yasmin")).get(self.url, {"game": "chess"}).status_code == 200

    def test_a_challenge_is_filled_in(self) -> None:
        yasmin, _ = new_players(2)
        page = text(signed_in(yasmin).get(self.url, {"challenge": "omar"}))
        assert 'name="invited" value="Omar"' in page
        assert 'name="visibility" value="named" checked' in page
        assert 'value="Nobody"' not in text(
            signed_in(yasmin).get(self.url, {"challenge": "Nobody"})
        )

    def test_needs_an_account(self) -> None:
        assert Client().get(self.url)["Location"] == "/accounts/login/?next=/games/new/"
        assert Client().post(self.url, TERMS).status_code == 302
        assert not Game.objects.exists()


class TestJoin:
    def test_shows_what_differs_the_pace_the_seal_and_a_word(self, now) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, options={"insolvency": "play_on"}, now=now)
        page = text(signed_in(omar).get(f"/g/{game.public_id}/join/"))
        assert "Broke, but still playing" in page
        assert "before the roll" not in page
        assert "Every turn adds 1 day." in page
        assert game.commitment in page
        assert 'name="entropy"' in page
        assert bytes(game.seed).hex() not in page

    def test_joins_and_lands_at_the_table(self, now) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, now=now)
        answer = signed_in(omar).post(f"/g/{game.public_id}/join/", {"entropy": "my-word"})
        game.refresh_from_db()
        assert answer["Location"] == game.get_absolute_url()
        assert game.status == Game.Status.RUNNING
        assert game.seats.get(player=omar).entropy == "my-word"

    def test_bad_words_and_refusals_change_nothing(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, invited=[omar], now=now)
        url = f"/g/{game.public_id}/join/"
        assert signed_in(omar).post(url, {"entropy": "a b"}).status_code == 422
        assert signed_in(omar).post(url).status_code == 422
        refused = signed_in(ileana).post(url, {"entropy": "mint"})
        assert refused.status_code == 422
        assert "kept for invited players" in text(refused)
        assert game.seats.count() == 1

    def test_works_before_signing_up(self, now) -> None:
        game = open_game(new_player("Yasmin"), visibility="link", now=now)
        url = f"/g/{game.public_id}/join/"
        page = text(Client().get(url))
        assert "Yasmin invites you to a game" in page
        assert f"/accounts/signup/?next={url}" in page
        assert f"/accounts/login/?next={url}" in page
        assert Client().post(url, {"entropy": "mint"}).status_code == 200
        assert game.seats.count() == 1

    def test_signing_up_leads_back_to_the_invitation(self, now) -> None:
        game = open_game(new_player("Yasmin"), visibility="link", now=now)
        url = f"/g/{game.public_id}/join/"
        client = Client()
        client.post(
            f"/accounts/signup/?next={url}",
            {
                "username": "Omar",
                "email": "omar@souk.example",
                "password1": "open-sesame-42",
                "next": url,
            },
        )
        answer = client.post("/accounts/confirm-email/", {"code": last_code()}, follow=True)
        assert answer.redirect_chain[-1][0] == url
        assert 'name="entropy"' in text(answer)

    def test_leads_on_where_there_is_nothing_to_join(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, now=now)
        url = f"/g/{game.public_id}/join/"
        assert signed_in(yasmin).get(url)["Location"] == game.get_absolute_url()
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=now)
        late = signed_in(ileana).post(url, {"entropy": "mint"}, follow=True)
        assert late.redirect_chain == [(game.get_absolute_url(), 302)]

    def test_named_games_do_not_exist_for_others(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, visibility="named", invited=[omar], now=now)
        for path in ("", "join/"):
            url = game.get_absolute_url() + path
            assert signed_in(omar).get(url).status_code == 200
            assert signed_in(ileana).get(url).status_code == 404
            assert Client().get(url).status_code == 404
        for path in ("join", "leave", "cancel", "decline", "rematch"):
            answer = signed_in(ileana).post(f"{game.get_absolute_url()}{path}/")
            assert answer.status_code == 404


class TestWaitingRoom:
    def test_the_creator_shares_and_cancels(self, now) -> None:
        yasmin = new_player("Yasmin")
        game = open_game(yasmin, visibility="link", now=now)
        client = signed_in(yasmin)
        page = text(client.get(game.get_absolute_url()))
        assert f"http://testserver/g/{game.public_id}/join/" in page
        assert "Your lucky word: <b>saffron</b>" in page
        assert client.post(f"/g/{game.public_id}/cancel/")["Location"] == "/"
        game.refresh_from_db()
        assert game.status == Game.Status.CANCELLED
        assert "was cancelled" in text(client.get(game.get_absolute_url()))

    def test_a_guest_leaves(self, now) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 3, now=now)
        lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=now)
        client = signed_in(omar)
        page = text(client.get(game.get_absolute_url()))
        assert f"/g/{game.public_id}/leave/" in page
        assert f"/g/{game.public_id}/cancel/" not in page
        client.post(f"/g/{game.public_id}/leave/")
        assert [seat.player for seat in game.seats.all()] == [yasmin]

    def test_an_open_page_hears_who_comes_and_goes(self, now) -> None:
        yasmin, omar, ileana = new_players(3)
        game = open_game(yasmin, 3, invited=[ileana], now=now)
        client = signed_in(yasmin)
        url = f"/g/{game.public_id}/room/"

        def stamp() -> str:
            found = re.search(r"room/\?stamp=(\w+)", text(client.get(game.get_absolute_url())))
            assert found
            return found[1]

        seen = {stamp()}
        assert client.get(url, {"stamp": stamp()}).status_code == 204
        assert client.get(url, {"stamp": ""})["HX-Refresh"] == "true"
        for happens in (
            lambda: lobby.join_game(game_id=game.pk, player=omar, entropy="mint", now=now),
            lambda: lobby.decline_invitation(game_id=game.pk, player=ileana, now=now),
        ):
            before = stamp()
            happens()
            assert client.get(url, {"stamp": before})["HX-Refresh"] == "true"
            assert client.get(url, {"stamp": stamp()}).status_code == 204
            seen.add(stamp())
        assert len(seen) == 3
        lobby.cancel_game(game_id=game.pk, player=yasmin, now=now)
        assert client.get(url, {"stamp": before})["HX-Refresh"] == "true"

    def test_lucky_words_of_others_stay_with_them(self, now) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 3, entropy="secretword", now=now)
        assert "secretword" not in text(signed_in(omar).get(game.get_absolute_url()))

    def test_refusals_are_told(self, now) -> None:
        yasmin, omar = new_players(2)
        game = open_game(yasmin, 3, now=now)
        for path in ("leave", "cancel", "rematch", "decline"):
            url = f"/g/{game.public_id}/{path}/"
            answer = signed_in(omar).post(url, follow=True)
            assert answer.status_code == 200
            assert '<li class="error">' in text(answer)
            assert Client().post(url).status_code == 302
            assert signed_in(omar).get(url).status_code == 405
        game.refresh_from_db()
        assert (game.status, game.seats.count()) == ("open", 1)


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
