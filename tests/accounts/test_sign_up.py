from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.forms import SignupForm
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.models import Player
from games.services.accounts import forget_unfinished_sign_ups
from tests.accounts.conftest import PASSWORD, delivered, last_code
from tests.people import new_player

pytestmark = pytest.mark.both_databases

CONFIRM = "/accounts/confirm-email/"


def test_a_newcomer_lands_in_the_game_of_the_invitation(sign_up):
    response, client = sign_up(next="/g/abc/join/")
    assert (response.status_code, response.headers["Location"]) == (302, CONFIRM)
    assert delivered()[-1].to == ["omar@souk.example"]
    assert "_auth_user_id" not in client.session

    response = client.post(CONFIRM, {"code": last_code()})

    assert (response.status_code, response.headers["Location"]) == (302, "/g/abc/join/")
    player = Player.objects.get(username="Omar")
    assert client.session["_auth_user_id"] == str(player.pk)
    assert EmailAddress.objects.get(user=player).verified


def test_a_foreign_address_is_no_place_to_land(sign_up):
    _, client = sign_up(next="https://evil.example/")
    response = client.post(CONFIRM, {"code": last_code()})
    assert response.headers["Location"] == "/"


def test_a_wrong_code_opens_nothing_and_ends_after_three(sign_up):
    _, client = sign_up()
    for _ in range(2):
        response = client.post(CONFIRM, {"code": "BBBB-BBBB"})
        assert "This is not the code we sent last." in response.content.decode()
    assert client.post(CONFIRM, {"code": "BBBB-BBBB"}).headers["Location"] == "/accounts/login/"
    client.post(CONFIRM, {"code": last_code()})
    assert "_auth_user_id" not in client.session


def test_a_mistyped_address_can_be_corrected(sign_up):
    _, client = sign_up(email="omra@souk.example")
    client.post(CONFIRM, {"action": "change", "email": "omar@souk.example"})
    assert delivered()[-1].to == ["omar@souk.example"]
    client.post(CONFIRM, {"code": last_code()})
    address = EmailAddress.objects.get(user__username="Omar")
    assert (address.email, address.verified, address.primary) == ("omar@souk.example", True, True)
    assert Player.objects.get(username="Omar").email == "omar@souk.example"


@pytest.mark.parametrize("name", ["yasmin", "YASMIN", "yAsMiN"])
def test_a_name_is_taken_in_any_letter_case(yasmin, sign_up, name):
    response, _ = sign_up(name=name)
    assert response.status_code == 200
    assert "This name is taken." in response.content.decode()
    assert Player.objects.count() == 1


def test_a_name_taken_at_the_same_moment_is_an_error_of_the_form(sign_up, monkeypatch):
    save = SignupForm.save

    def save_after_somebody_else(self, request):
        new_player("oMAR")
        return save(self, request)

    monkeypatch.setattr(SignupForm, "save", save_after_somebody_else)
    response, _ = sign_up()
    assert response.status_code == 200
    assert "This name is taken." in response.content.decode()
    assert not Player.objects.filter(username="Omar").exists()
    assert delivered() == []


@pytest.mark.parametrize(
    "name",
    [
        "o",
        "omar@souk.example",
        "Омар",
        "om ar",
        "-omar",
        "omar.",
        "a" * 31,
        "gone-1",
        "Admin",
        "../x",
    ],
)
def test_names_that_cannot_be(sign_up, name):
    response, _ = sign_up(name=name)
    assert response.status_code == 200
    assert not Player.objects.exists()


def test_the_browsers_time_zone_is_kept_at_the_first_visit(sign_up):
    _, client = sign_up()
    client.cookies["tz"] = "Africa/Casablanca"
    client.post(CONFIRM, {"code": last_code()})
    client.get("/settings/")
    assert Player.objects.get().time_zone == "Africa/Casablanca"


def test_an_unproven_account_cannot_be_reached_by_mail(sign_up):
    """Whoever claims a foreign address must not get its owner into a prepared account."""
    sign_up(name="Squatter", email="omar@souk.example")
    client = Client()
    client.post("/accounts/login/code/", {"email": "omar@souk.example"})
    assert delivered()[-1].subject == "No account at Souk"
    client.post("/accounts/password/reset/", {"email": "omar@souk.example"})
    assert delivered()[-1].subject == "No account at Souk"


def test_the_first_to_prove_an_address_has_it(sign_up):
    _, slow = sign_up(name="First", email="omar@souk.example")
    code = last_code()
    cache.clear()
    _, quick = sign_up(name="Second", email="omar@souk.example")
    quick.post(CONFIRM, {"code": last_code()})
    assert "_auth_user_id" in quick.session
    slow.post(CONFIRM, {"code": code})
    assert "_auth_user_id" not in slow.session
    assert EmailAddress.objects.get(verified=True).user.username == "Second"


def test_names_of_unfinished_sign_ups_come_free_again(sign_up, yasmin):
    sign_up()
    Player.objects.update(date_joined=timezone.now() - timedelta(days=6))
    assert forget_unfinished_sign_ups(now=timezone.now()) == 0
    assert forget_unfinished_sign_ups(now=timezone.now() + timedelta(days=2)) == 1
    assert [player.username for player in Player.objects.all()] == ["Yasmin"]


def test_a_weak_password_is_refused(sign_up):
    response, _ = sign_up(password1="password")
    assert "too common" in response.content.decode()
    assert PASSWORD not in response.content.decode()
    assert not Player.objects.exists()
