"""Invitations and waiting rooms: who comes, who goes, and who is told what."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game
from games.services import lobby
from tests.accounts.conftest import last_code
from tests.lobby.conftest import text
from tests.people import new_player, new_players, open_game, signed_in

pytestmark = pytest.mark.django_db


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
