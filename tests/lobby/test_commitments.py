"""The commitment in a form: made before the player's word is known, used within an hour, once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.engine import chance
from games.models import Game, Player, Seat, Use
from games.services import commitments, lobby, play
from games.services.errors import Refused
from tests.forms import form_with, forms_of
from tests.people import NOON, new_player, new_players, open_game, signed_in, started_game

pytestmark = pytest.mark.django_db

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
ANSWERS = {"game": "marrakech", "opponents": "1", "level": "apprentice"}


def opened(answer: Any) -> Game:
    assert answer.status_code == 302, answer.content.decode()
    return Game.objects.get(public_id=answer["Location"].split("/")[2])


def words_of(game: Game) -> list[tuple[str, str]]:
    return list(game.seats.order_by("joined").values_list("entropy", "word_origin"))


class TestTickets:
    def test_the_seed_of_a_ticket_is_that_of_the_commitment_in_it(self) -> None:
        ticket = commitments.new_ticket(now=NOON)
        seed = commitments.seed_of(ticket, now=NOON + HOUR)
        assert seed.committed_at == NOON
        assert commitments.commitment_of(ticket) == chance.commitment(seed.secret)
        assert len(seed.secret) == chance.SEED_BYTES

    def test_neither_the_ticket_nor_a_representation_holds_the_seed(self) -> None:
        ticket = commitments.new_ticket(now=NOON)
        seed = commitments.seed_of(ticket, now=NOON)
        assert seed.secret.hex() not in ticket
        assert repr(seed.secret)[2:-1] not in repr(seed)

    def test_no_two_tickets_of_a_moment_share_a_seed(self) -> None:
        tickets = [commitments.new_ticket(now=NOON) for _ in range(200)]
        assert len({commitments.commitment_of(ticket) for ticket in tickets}) == 200

    def test_it_is_good_for_an_hour(self) -> None:
        ticket = commitments.new_ticket(now=NOON)
        assert commitments.is_valid(ticket, now=NOON + HOUR)
        with pytest.raises(commitments.Outdated, match="more than an hour"):
            commitments.seed_of(ticket, now=NOON + HOUR + SECOND)

    def test_nothing_in_it_can_be_changed(self) -> None:
        number, moment, commitment = commitments.new_ticket(now=NOON).split(".")
        other = commitments.new_ticket(now=NOON)
        for forged in (
            f"{number}.{int(moment) + 1800}.{commitment}",
            f"{number}.0{moment}.{commitment}",
            f"{number[::-1]}.{moment}.{commitment}",
            f"{number}.{moment}.{commitments.commitment_of(other)}",
            f"{number}.{moment}.{commitment.upper()}",
            f"{number}.{moment}.{commitment}\n",
            f"{number}.{moment}",
            f"{number}.99999999999.{commitment}",
            f"{number}.٣.{commitment}",
            "nonsense",
        ):
            with pytest.raises(commitments.Outdated, match="damaged"):
                commitments.seed_of(forged, now=NOON)

    def test_a_key_that_was_changed_opens_them_as_long_as_it_is_accepted(self, settings) -> None:
        settings.SECRET_KEY = "the key before"
        ticket = commitments.new_ticket(now=NOON)
        seed = commitments.seed_of(ticket, now=NOON)
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", ["the key before"]
        assert commitments.seed_of(ticket, now=NOON) == seed
        settings.SECRET_KEY_FALLBACKS = []
        with pytest.raises(commitments.Outdated, match="damaged"):
            commitments.seed_of(ticket, now=NOON)


class TestGames:
    def test_a_game_has_the_seed_that_its_form_was_committed_to(self) -> None:
        ticket = commitments.new_ticket(now=NOON)
        game = open_game(new_player("Yasmin"), ticket=ticket, now=NOON + SECOND)
        assert game.commitment == commitments.commitment_of(ticket)
        assert chance.commitment(bytes(game.seed)) == game.commitment
        assert (game.committed_at, game.created_at) == (NOON, NOON + SECOND)

    def test_without_a_form_no_commitment_came_first(self) -> None:
        assert open_game(new_player("Yasmin")).committed_at is None

    def test_a_second_game_cannot_have_the_seed_that_the_first_one_published(self) -> None:
        yasmin, omar = new_players(2)
        ticket = commitments.new_ticket(now=NOON)
        game = started_game([yasmin, omar], ticket=ticket)
        play.resign(game_id=game.pk, player=omar, now=NOON)
        for player, word in ((yasmin, "saffron"), (yasmin, "other"), (omar, "saffron")):
            with pytest.raises(commitments.Used):
                open_game(player, ticket=ticket, entropy=word)
        with pytest.raises(commitments.Used):
            lobby.play_against_bots(
                player=yasmin,
                ruleset="marrakech",
                opponents=1,
                level="apprentice",
                ticket=ticket,
                now=NOON,
            )
        assert Game.objects.filter(commitment=game.commitment).get() == game

    def test_what_is_refused_uses_nothing_up(self) -> None:
        yasmin = new_player("Yasmin")
        ticket = commitments.new_ticket(now=NOON)
        with pytest.raises(Refused):
            open_game(yasmin, size=7, ticket=ticket)
        assert open_game(yasmin, ticket=ticket).committed_at == NOON

    def test_the_words_of_bots_are_fixed(self) -> None:
        """Otherwise the server could draw them until the dice please it."""
        game = lobby.play_against_bots(
            player=new_player("Yasmin"),
            ruleset="marrakech",
            opponents=3,
            level="apprentice",
            entropy="mint",
            now=NOON,
        )
        assert words_of(game) == [("mint", "chosen"), *[("bot", "fixed")] * 3]


class TestForms:
    def test_asking_for_forms_stores_nothing(self) -> None:
        visitor = Client()
        before = (Game.objects.count(), Player.objects.count(), Use.objects.count())
        found = {form_with(visitor.get("/play/").content, "ticket")["ticket"] for _ in range(9)}
        assert len(found) == 9
        assert (Game.objects.count(), Player.objects.count(), Use.objects.count()) == before

    def test_every_way_to_a_game_carries_a_commitment(self) -> None:
        yasmin = new_player("Yasmin")
        hers = signed_in(yasmin)
        for chosen in ({"preset": "friend"}, {"preset": "open"}, {"preset": "bots"}, {}):
            page = hers.get("/games/new/").content
            sent = form_with(page, "ticket" if chosen else "pace") | chosen
            game = opened(hers.post("/games/new/", sent))
            assert game.commitment == commitments.commitment_of(sent["ticket"])
            assert game.committed_at
        for address in ("/", "/play/"):
            for browser in (hers, Client()):
                sent = form_with(browser.get(address).content, "ticket")
                game = opened(browser.post("/play/", {**ANSWERS, **sent}))
                assert game.commitment == commitments.commitment_of(sent["ticket"])

    def test_a_rematch_and_a_stronger_bot_carry_one_too(self) -> None:
        client = Client()
        game = opened(client.post("/play/", ANSWERS))
        client.post(f"/g/{game.public_id}/resign/")
        page = client.get(f"/g/{game.public_id}/").content
        for form, address in zip(
            [form for form in forms_of(page) if "ticket" in form],
            (f"/g/{game.public_id}/rematch/", "/play/"),
            strict=False,
        ):
            again = opened(client.post(address, form))
            assert again.commitment == commitments.commitment_of(form["ticket"])

    def test_the_page_shows_the_commitment_that_it_carries(self) -> None:
        reader = signed_in(new_player("Yasmin"))
        for address in ("/games/new/", "/play/", "/"):
            page = reader.get(address).content
            ticket = form_with(page, "ticket")["ticket"]
            assert f">{commitments.commitment_of(ticket)}<" in page.decode()
            assert "<noscript><p" in page.decode(), "the word that is offered proves nothing"

    def test_a_form_with_a_mistake_keeps_its_commitment_and_its_word(self) -> None:
        hers = signed_in(new_player("Yasmin"))
        sent = forms_of(hers.get("/games/new/").content)
        form = next(form for form in sent if "pace" in form) | {"entropy": "mint", "size": "9"}
        answer = hers.post("/games/new/", form)
        assert answer.status_code == 422
        again = form_with(answer.content, "pace")
        assert (again["ticket"], again["entropy"]) == (form["ticket"], "mint")
        assert "new commitment" not in answer.content.decode()

    def test_after_an_hour_only_the_commitment_and_the_word_are_new(self, monkeypatch) -> None:
        """The server has seen the old word before the new commitment: it cannot count."""
        hers = signed_in(new_player("Yasmin"))
        old = form_with(hers.get("/games/new/").content, "pace")
        late = timezone.now() + HOUR + SECOND
        monkeypatch.setattr(timezone, "now", lambda: late)
        form = old | {"entropy": "my-own", "pace": "slow", "visibility": "link", "size": "3"}
        answer = hers.post("/games/new/", form)
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "open for more than an hour" in page
        assert "“my-own”" in page
        again = form_with(answer.content, "pace")
        assert {name for name in form if form[name] != again[name]} - {"csrfmiddlewaretoken"} == {
            "ticket",
            "entropy",
        }
        assert opened(hers.post("/games/new/", again)).pace == "slow"

    def test_a_page_left_open_overnight_asks_a_guest_once_more(self, monkeypatch) -> None:
        visitor = Client()
        old = form_with(visitor.get("/").content, "ticket")
        late = timezone.now() + timedelta(hours=9)
        monkeypatch.setattr(timezone, "now", lambda: late)
        answer = visitor.post("/play/", {**ANSWERS, **old, "level": "vizier"})
        assert answer.status_code == 422
        assert not Player.objects.filter(is_guest=True).exists()
        again = form_with(answer.content, "ticket")
        assert again["level"] == "vizier"
        assert opened(visitor.post("/play/", again)).committed_at == late.replace(microsecond=0)

    def test_the_same_form_twice_opens_one_game(self) -> None:
        hers = signed_in(new_player("Yasmin"))
        form = form_with(hers.get("/games/new/").content, "pace") | {"entropy": "mint"}
        first, second = (opened(hers.post("/games/new/", form)) for _ in range(2))
        assert first == second
        answer = hers.post("/games/new/", form | {"entropy": "fig"})
        assert answer.status_code == 422
        assert "opened with the commitment of this form already" in answer.content.decode()
        form = form_with(answer.content, "pace")
        assert opened(hers.post("/games/new/", form)) != first

    def test_another_button_of_a_used_form_does_not_lead_to_the_game_of_the_first(self) -> None:
        hers = signed_in(new_player("Yasmin"))
        form = form_with(hers.get("/games/new/").content, "ticket")
        first = opened(hers.post("/games/new/", form | {"preset": "friend"}))
        assert opened(hers.post("/games/new/", form | {"preset": "friend"})) == first
        assert hers.post("/games/new/", form | {"preset": "open"}).status_code == 422
        form = form_with(hers.get("/play/").content, "ticket")
        opened(hers.post("/play/", form))
        assert hers.post("/play/", form | {"opponents": "2"}).status_code == 422

    def test_the_form_of_somebody_else_leads_to_no_game_of_theirs(self) -> None:
        yasmin, omar = new_players(2)
        form = form_with(signed_in(yasmin).get("/play/").content, "ticket")
        game = opened(signed_in(yasmin).post("/play/", form))
        for other in (signed_in(omar), Client()):
            answer = other.post("/play/", form)
            assert answer.status_code == 422
            assert game.public_id not in answer.content.decode()

    def test_tabs_are_independent(self) -> None:
        hers = signed_in(new_player("Yasmin"))
        tabs = [form_with(hers.get("/play/").content, "ticket") for _ in range(3)]
        games = [opened(hers.post("/play/", tab)) for tab in reversed(tabs)]
        assert len({game.commitment for game in games}) == 3


class TestWords:
    def origin(self, answer: Any) -> str:
        return str(Seat.objects.get(game=opened(answer), joined=0).word_origin)

    def test_a_word_that_was_left_as_it_stood_was_offered(self) -> None:
        for address in ("/", "/play/"):
            client = Client()
            form = form_with(client.get(address).content, "ticket")
            assert self.origin(client.post("/play/", {**ANSWERS, **form})) == "offered"
        hers = signed_in(new_player("Yasmin"))
        form = form_with(hers.get("/games/new/").content, "pace")
        assert self.origin(hers.post("/games/new/", form)) == "offered"

    def test_a_word_of_ones_own_was_chosen(self) -> None:
        client = Client()
        form = form_with(client.get("/play/").content, "ticket") | {"entropy": "mint-42"}
        assert self.origin(client.post("/play/", form)) == "chosen"

    def test_a_word_that_the_player_never_saw_was_drawn(self) -> None:
        hers = signed_in(new_player("Yasmin"))
        for preset in ("friend", "open", "bots"):
            form = form_with(hers.get("/games/new/").content, "ticket") | {"preset": preset}
            seat = Seat.objects.get(game=opened(hers.post("/games/new/", form)), joined=0)
            assert (seat.word_origin, seat.word_drawn) == ("drawn", True)

    def test_a_word_is_the_browsers_only_as_long_as_nobody_changed_it(self) -> None:
        client = Client()
        form = form_with(client.get("/play/").content, "ticket")
        drawn = {"entropy": "kotaru-bemina-sofali", "drawn_word": "kotaru-bemina-sofali"}
        assert self.origin(client.post("/play/", form | drawn)) == "browser"
        form = form_with(client.get("/play/").content, "ticket")
        assert self.origin(client.post("/play/", form | drawn | {"entropy": "mint"})) == "chosen"
        form = form_with(client.get("/play/").content, "ticket")
        claimed = {"drawn_word": form["entropy"]}
        assert self.origin(client.post("/play/", form | claimed)) == "offered"

    @pytest.mark.parametrize(
        ("change", "origin"),
        [
            ({}, "offered"),
            ({"entropy": "mint"}, "chosen"),
            ({"entropy": "ba-be", "drawn_word": "ba-be"}, "browser"),
        ],
        ids=str,
    )
    def test_those_who_join_are_asked_as_well(self, change: dict[str, str], origin: str) -> None:
        yasmin, omar = new_players(2)
        address = f"/g/{open_game(yasmin, 3).public_id}/join/"
        form = form_with(signed_in(omar).get(address).content, "entropy")
        signed_in(omar).post(address, form | change)
        assert Seat.objects.get(player=omar).word_origin == origin

    def test_the_waiting_room_tells_where_the_own_word_comes_from(self) -> None:
        yasmin = new_player("Yasmin")
        game = open_game(yasmin)
        page = signed_in(yasmin).get(f"/g/{game.public_id}/").content.decode()
        assert "chosen by the player" in page
        assert "the operator could have chosen a seed to go with that word" in page

    def test_words_of_a_former_key_are_still_known(self, settings) -> None:
        client = Client()
        form = form_with(client.get("/play/").content, "ticket")
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another"
        assert self.origin(client.post("/play/", form)) == "offered"
