"""The page of a new game: what it opens, and what bad input does to it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from tests.lobby.conftest import text
from tests.people import new_player, new_players, signed_in

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
