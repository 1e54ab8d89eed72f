"""Play now, guests, hints and stand-ins, as pages show them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import bots as brain_module
from games.models import Game, Hint, Notice, Player
from games.services import bots, guests, limits, lobby, play
from tests.accounts.conftest import last_code
from tests.bots_site.conftest import Brains
from tests.people import (
    NOON,
    decide,
    new_player,
    new_players,
    open_game,
    play_on,
    signed_in,
    started_game,
)

pytestmark = pytest.mark.django_db

CHOICE = {"game": "marrakech", "opponents": "1", "level": "apprentice"}


def press_play(client: Client, **choice: str) -> Game:
    answer = client.post("/play/", {**CHOICE, **choice})
    assert answer.status_code == 302
    return Game.objects.get(public_id=answer["Location"].split("/")[2])


def until_own_turn(game: Game) -> None:
    bots.play_due(clock=timezone.now)
    game.refresh_from_db()


class TestPlayNow:
    def test_visitors_find_it_on_the_first_page(self, client: Client) -> None:
        page = client.get("/").content.decode()
        assert 'action="/play/"' in page
        assert "You need no account." in page

    def test_players_find_it_on_their_first_page(self) -> None:
        page = signed_in(new_player("Yasmin")).get("/").content.decode()
        assert 'action="/play/"' in page
        assert "You need no account." not in page

    def test_from_nothing_to_a_move_without_account(self, client: Client, brains: Brains) -> None:
        game = press_play(client, opponents="2", level="vizier")
        until_own_turn(game)
        page = client.get(f"/g/{game.public_id}/")
        assert "Which way should Assam go?" in page.content.decode()
        count = game.move_count
        client.post(f"/g/{game.public_id}/move/", {"action": "turn:S", "on": count})
        game.refresh_from_db()
        assert game.move_count == count + 1
        assert (game.rated, game.pace) == (False, "none")

    def test_without_scripts_one_looks_again_while_a_bot_thinks(
        self, client: Client, brains: Brains
    ) -> None:
        game = press_play(client)
        until_own_turn(game)
        assert "Look again" not in client.get(f"/g/{game.public_id}/").content.decode()
        decide(game, NOON)
        decide(game, NOON)
        link = f'<noscript><a href="/g/{game.public_id}/">Look again</a></noscript>'
        assert link in client.get(f"/g/{game.public_id}/").content.decode()

    def test_a_player_plays_as_that_player(self) -> None:
        yasmin = new_player("Yasmin")
        game = press_play(signed_in(yasmin))
        assert game.creator == yasmin
        assert not Player.objects.filter(is_guest=True).exists()

    def test_the_address_of_a_bot_chooses_its_level(self, client: Client) -> None:
        page = client.get("/play/?level=merchant").content.decode()
        assert 'name="level" value="merchant" checked' in page

    @pytest.mark.parametrize(
        "choice", [{"game": "chess"}, {"opponents": "9"}, {"level": "genius"}, {"opponents": ""}]
    )
    def test_nonsense_is_refused_and_leaves_nobody_behind(
        self, client: Client, choice: dict[str, str]
    ) -> None:
        answer = client.post("/play/", {**CHOICE, **choice})
        assert answer.status_code == 422
        assert not Player.objects.exists()

    def test_one_address_cannot_fill_the_house(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        two = {"network": limits.Limit(2, limits.HOUR)}
        monkeypatch.setitem(limits.LIMITS, "bot_game", two)
        press_play(client)
        press_play(Client())
        guests = Player.objects.filter(is_guest=True).count()
        assert Client().post("/play/", CHOICE).status_code == 429
        assert Player.objects.filter(is_guest=True).count() == guests


class TestGuests:
    def test_the_cookie_keeps_the_games(self, client: Client) -> None:
        first, second = press_play(client), press_play(client)
        assert first.creator == second.creator
        assert first.creator.is_guest
        page = client.get("/").content.decode()
        assert first.public_id in page
        assert second.public_id in page
        assert "You play as a guest" in page
        assert first.public_id not in Client().get("/").content.decode()

    def test_guests_need_an_account_for_all_else(self, client: Client) -> None:
        press_play(client)
        for path in ("/games/new/", "/settings/", "/games/mine/turn/"):
            assert client.get(path)["Location"].startswith(reverse("account_login"))

    def test_guests_do_not_sit_down_with_people_nor_talk(self, client: Client) -> None:
        own = press_play(client)
        game = open_game(new_player("Yasmin"))
        page = client.post(f"/g/{game.public_id}/join/", {"entropy": "mint"}).content.decode()
        assert "Sign up" in page
        assert game.seats.count() == 1
        client.post(f"/g/{own.public_id}/talk/", {"text": "hello"})
        assert not own.messages.exists()

    def test_signing_up_keeps_everything(self, client: Client) -> None:
        game = press_play(client)
        guest = game.creator
        sign_up(client, "Yasmin", "yasmin@souk.example")
        guest.refresh_from_db()
        assert guest.is_guest, "not before the address is proven"
        confirm(client)
        guest.refresh_from_db()
        assert (guest.username, guest.is_guest) == ("Yasmin", False)
        assert str(guest) == "Yasmin"
        assert game.public_id in client.get("/").content.decode()
        assert client.get("/settings/").status_code == 200

    def test_the_mail_that_asks_a_guest_for_a_code_greets_by_the_new_name(
        self, client: Client
    ) -> None:
        press_play(client)
        sign_up(client, "Yasmin", "yasmin@souk.example")
        content = Notice.objects.get(kind=Notice.Kind.ACCOUNT).content
        for form in ("text", "html"):
            assert "Welcome, Yasmin!" in " ".join(content[form].split())

    def test_who_gives_up_signing_up_stays_a_guest_and_may_try_again(self, client: Client) -> None:
        game = press_play(client)
        sign_up(client, "Yasmin", "mistyped@souk.example")
        assert game.public_id in client.get("/").content.decode()
        session = client.session
        del session["account_login"]  # the code has expired
        session.save()
        sign_up(client, "Yasmina", "yasmin@souk.example")
        confirm(client)
        game.creator.refresh_from_db()
        assert game.creator.username == "Yasmina"
        assert [each.email for each in EmailAddress.objects.all()] == ["yasmin@souk.example"]

    def test_no_mail_to_an_address_that_is_not_proven(self, client: Client) -> None:
        game = press_play(client)
        sign_up(client, "Yasmin", "somebody-else@souk.example")
        game.creator.refresh_from_db()
        assert game.creator.email
        while game.status == Game.Status.RUNNING:
            play_on(game, 1)
        assert not game.notices.exists()

    def test_signing_in_takes_the_games_in_play_along(self, client: Client) -> None:
        yasmin = new_player("Yasmin")
        game = press_play(client)
        client.post(reverse("account_login"), {"login": "Yasmin", "password": "open-sesame-42"})
        game.refresh_from_db()
        assert game.creator == yasmin
        assert game.seats.filter(player=yasmin).exists()
        assert game.public_id in client.get("/").content.decode()

    @pytest.mark.parametrize(
        "name", ["Vizier", "vizier-2", "grand-vizier", "MERCHANT", "guest-1234"]
    )
    def test_names_of_bots_and_guests_are_reserved(self, client: Client, name: str) -> None:
        answer = sign_up(client, name, "yasmin@souk.example")
        assert "This name cannot be used." in answer.content.decode()
        assert not Player.objects.exists()

    def test_guests_nobody_can_be_any_more_are_forgotten(self, settings: Any) -> None:
        old, playing, finished, fresh = (guests.welcome_guest(now=NOON) for _ in range(4))
        later = NOON + timedelta(seconds=settings.SESSION_COOKIE_AGE + 1)
        for guest in (old, playing, finished):
            game = lobby.play_against_bots(
                player=guest, ruleset="marrakech", opponents=1, level="merchant", now=NOON
            )
            if guest == finished:
                play.resign(game_id=game.pk, player=guest, now=NOON)
            if guest == playing:
                play_on(game, 1, now=later)
        Player.objects.filter(pk=fresh.pk).update(date_joined=later)
        assert guests.forget_old_guests(now=later) == 1
        assert set(Player.objects.filter(is_guest=True)) == {playing, finished, fresh}
        assert Game.objects.count() == 2


def sign_up(client: Client, name: str, email: str) -> Any:
    form = {"username": name, "email": email, "password1": "open-sesame-42"}
    return client.post(reverse("account_signup"), form, follow=True)


def confirm(client: Client) -> None:
    client.post(reverse("account_email_verification_sent"), {"code": last_code()})


class TestHints:
    @pytest.fixture
    def game(self, client: Client, brains: Brains) -> Game:
        game = press_play(client)
        until_own_turn(game)
        return game

    def test_asked_worked_out_and_shown(self, client: Client, game: Game) -> None:
        page = f"/g/{game.public_id}/"
        assert "What would the Vizier do?" in client.get(page).content.decode()
        client.post(f"{page}hint/", {"on": game.move_count})
        assert "The Vizier is thinking" in client.get(page).content.decode()
        bots.play_due(clock=timezone.now)
        shown = client.get(page).content.decode()
        assert "The Vizier would turn Assam to the left." in shown
        assert "1.3 points" in shown
        client.post(f"{page}move/", {"action": "turn:L", "on": game.move_count})
        assert "The Vizier would" not in client.get(page).content.decode()

    def test_where_there_is_a_judge_it_speaks_in_win_shares(
        self, client: Client, game: Game
    ) -> None:
        client.post(f"/g/{game.public_id}/hint/", {"on": game.move_count})
        bots.play_due(clock=timezone.now)
        hint = Hint.objects.get()
        hint.answer = {**hint.answer, "share": 54.2, "other": 51.0}
        hint.save()
        shown = " ".join(client.get(f"/g/{game.public_id}/").content.decode().split())
        said = "Your win share after it: 54.2 points of 100, after any other choice at most 51.0."
        assert said in shown
        assert "1.3 points" in shown

    def test_pages_with_scripts_poll_for_the_answer(self, client: Client, game: Game) -> None:
        address = f"/g/{game.public_id}/hint/"
        asked = client.post(address, headers={"HX-Request": "true"}).content.decode()
        assert f'hx-get="{address}"' in asked
        Hint.objects.update(due_at=None)
        answer = client.get(address, headers={"HX-Request": "true"}).content.decode()
        assert "no advice" in answer
        assert "hx-get" not in answer

    def test_pages_go_on_waiting_while_it_is_thought_about(
        self, client: Client, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = f"/g/{game.public_id}/hint/"
        seen: list[str] = []

        def think(observation: Any, seed: int) -> brain_module.Advice:
            seen.append(client.get(address, headers={"HX-Request": "true"}).content.decode())
            return brain_module.Advice(observation["legal"][0], 0.8)

        monkeypatch.setattr(brain_module, "advice", think)
        client.post(address)
        bots.play_due(clock=timezone.now)
        assert "The Vizier is thinking" in seen[0]
        assert "The Vizier would" in client.get(f"/g/{game.public_id}/").content.decode()

    def test_a_brain_without_advice_is_asked_once(
        self, client: Client, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any) -> None:
            raise RuntimeError("no idea")

        monkeypatch.setattr(brain_module, "advice", fail)
        client.post(f"/g/{game.public_id}/hint/")
        assert bots.play_due(clock=timezone.now) == 1
        assert bots.play_due(clock=lambda: timezone.now() + timedelta(days=1)) == 0

    def test_it_waits_while_the_bots_are_compiled(
        self, client: Client, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compiled: list[str] = []
        monkeypatch.setattr(brain_module, "ready", lambda: bool(compiled))
        monkeypatch.setattr(bots, "compile_meanwhile", lambda: compiled.append("now"))
        client.post(f"/g/{game.public_id}/hint/")
        bots.play_due(clock=timezone.now)
        page = client.get(f"/g/{game.public_id}/").content.decode()
        assert "The Vizier is thinking" in page
        bots.play_due(clock=lambda: timezone.now() + bots.WHILE_COMPILING)
        assert Hint.objects.get().answer

    def test_none_among_people(self, client: Client) -> None:
        yasmin, omar = new_players(2)
        game = started_game([yasmin, omar])
        assert game.to_act
        player = game.to_act.player
        client.force_login(player)
        page = client.get(f"/g/{game.public_id}/").content.decode()
        assert "Vizier" not in page
        client.post(f"/g/{game.public_id}/hint/")
        assert not Hint.objects.exists()


class TestBadges:
    def test_bots_are_known_as_bots(self, client: Client) -> None:
        game = press_play(client, level="merchant")
        badge = 'Merchant</a> <span class="badge">bot</span>'
        assert badge in client.get(f"/g/{game.public_id}/").content.decode()
        profile = client.get("/players/Merchant/").content.decode()
        assert 'Merchant <span class="badge">bot</span>' in profile
        assert "Challenge" not in profile
        assert "/play/?level=merchant" in profile


class TestOpening:
    def test_the_creator_lets_bots_in_and_starts_with_them(self, client: Client) -> None:
        client.force_login(new_player("Yasmin"))
        form = {
            "game": "marrakech",
            "size": "3",
            "edition": "international",
            "pace": "daily",
            "visibility": "public",
            "rated": "yes",
            "entropy": "mint",
            "fill_level": "merchant",
            "on_timeout": "bot",
        }
        client.post("/games/new/", form)
        game = Game.objects.get()
        assert (game.fill_level, game.on_timeout, game.rated) == ("merchant", "bot", False)
        for page in ("", "join/"):
            terms = Client().get(f"/g/{game.public_id}/{page}").content.decode()
            assert "A bot takes the seat over" in terms
            assert "Bots may take them (Merchant)." in terms
        room = client.get(f"/g/{game.public_id}/").content.decode()
        assert "Start now with bots" in room
        client.post(f"/g/{game.public_id}/bots/")
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING
