"""Nobody is called like the house, like an address, or like somebody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from games.forms.names import check_name, clean_display_name
from games.models import Player
from games.reckon.likeness import likeness
from games.services.accounts import change_settings, forget_unfinished_sign_ups, release_name
from games.services.guests import welcome_guest
from tests.people import NOON, new_player, new_players

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        *("Souk", "souk", "S o u k", "Ѕоuk", "Souk Support", "ＡＤＭＩＮ", "admin", "Moderator"),
        *("https://evil.example", "evil.example", "www.evil", "me@evil.example", "go to evil.com"),
        *("=?utf-8?q?Souk?=", "Vizier", "Wezyr", "Guest", "Former player", "root"),
        *("Omar", "OMAR", "Оmar", "omar ", "o m a r", "Zoë"),
    ],
)
def test_a_shown_name_that_misleads_is_refused(name: str) -> None:
    yasmin, _, ileana = new_players(3)
    change_settings(player=ileana, changes={"display_name": "Zoë"}, now=NOON)
    with pytest.raises(ValidationError):
        clean_display_name(name, yasmin)


@pytest.mark.parametrize(
    "name", ["Yasmin", "Ясмина", "茉莉", "Dr. Quince", "J. R.", "O'Neil", "Zoe", ""]
)
def test_a_name_of_one_s_own_is_fine(name: str) -> None:
    yasmin, _, ileana = new_players(3)
    change_settings(player=ileana, changes={"display_name": "Zoë"}, now=NOON)
    assert clean_display_name(name, yasmin) == name


def test_who_signs_up_cannot_take_the_name_somebody_shows() -> None:
    (yasmin,) = new_players(1)
    change_settings(player=yasmin, changes={"display_name": "Princess"}, now=NOON)
    with pytest.raises(ValidationError):
        check_name("princess")
    change_settings(player=yasmin, changes={"display_name": ""}, now=NOON)
    check_name("princess")


def test_names_that_look_alike_are_alike() -> None:
    assert likeness("ОМАR") == likeness("o-mar") == "omar"
    assert likeness("Омар") != likeness("Oleg")


def unfinished(name: str, **fields: object) -> Player:
    player = new_player(name, **fields)
    EmailAddress.objects.filter(user=player).update(verified=False)
    return player


def test_a_name_left_lying_goes_to_who_asks_for_it() -> None:
    now = timezone.now()
    unfinished("Jasmine", date_joined=now - timedelta(minutes=20))
    release_name(name="jasmine", now=now)
    assert Player.objects.filter(username="Jasmine").exists(), "still at it, perhaps"
    release_name(name="jasmine", now=now + timedelta(hours=1))
    assert not Player.objects.filter(username="Jasmine").exists()


def test_a_name_left_lying_keeps_none_that_looks_like_it() -> None:
    unfinished("Jasmine", date_joined=timezone.now() - timedelta(hours=2))
    form = {"username": "Jasm1ne", "email": "j@souk.example", "password1": "open-sesame-42"}
    assert Client().post("/accounts/signup/", form).status_code == 302
    assert Player.objects.get().username == "Jasm1ne"


def test_one_can_sign_up_by_a_name_that_was_left_lying() -> None:
    unfinished("Jasmine", date_joined=timezone.now() - timedelta(hours=2))
    form = {"username": "jasmine", "email": "j@souk.example", "password1": "open-sesame-42"}
    assert Client().post("/accounts/signup/", form).status_code == 302
    assert Player.objects.get(username="jasmine").email == "j@souk.example"


def test_a_guest_who_never_confirmed_is_a_guest_again() -> None:
    now = timezone.now()
    guest = welcome_guest(now=now - timedelta(days=8))
    guest.username, guest.email = "Jasmine", "j@souk.example"
    guest.save()
    EmailAddress.objects.create(user=guest, email=guest.email, verified=False)
    assert forget_unfinished_sign_ups(now=now) == 1
    guest.refresh_from_db()
    assert guest.username.startswith("guest-")
    assert guest.is_guest
    assert not guest.email


def test_who_confirmed_or_came_in_keeps_the_name() -> None:
    now = timezone.now()
    new_player("Yasmin", date_joined=now - timedelta(days=9))
    came = unfinished("Omar", date_joined=now - timedelta(days=9))
    Player.objects.filter(pk=came.pk).update(last_login=now)
    for name in ("yasmin", "omar"):
        release_name(name=name, now=now)
    assert Player.objects.count() == 2
