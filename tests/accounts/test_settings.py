from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation

from games.forms.accounts import PlaceSection
from games.middleware import PlayerPreferencesMiddleware
from games.services.accounts import change_settings, remember_guessed_time_zone


@pytest.fixture
def me(client, yasmin):
    client.force_login(yasmin)
    return client


def save(client, section: str, **fields):
    return client.post("/settings/", {"section": section, **fields})


def test_each_section_saves_its_own(me, yasmin):
    assert save(me, "name", display_name="  Yasmin   from\tFès ").status_code == 302
    assert save(me, "place", language="en", time_zone="Africa/Casablanca").status_code == 302
    assert save(me, "playing", theme="dark").status_code == 302
    yasmin.refresh_from_db()
    assert yasmin.display_name == "Yasmin from Fès"
    assert (yasmin.language, yasmin.time_zone) == ("en", "Africa/Casablanca")
    assert (yasmin.theme, yasmin.confirm_moves) == ("dark", False)
    assert 'data-theme="dark"' in me.get("/settings/").content.decode()


def test_an_empty_display_name_falls_back_to_the_name(me, yasmin):
    save(me, "name", display_name="Y")
    save(me, "name", display_name="   ")
    yasmin.refresh_from_db()
    assert str(yasmin) == "Yasmin"


@pytest.mark.parametrize(
    "name", ["ياسمين", "雅思敏", "می\u200cخواهم", "👩\u200d🚀", "Ÿ" * 30, "O'Neill & <b>"]
)
def test_display_names_in_any_writing(me, yasmin, name):
    assert save(me, "name", display_name=name).status_code == 302
    yasmin.refresh_from_db()
    assert yasmin.display_name == name


@pytest.mark.parametrize(
    "name",
    [
        "evil\u202egnp",
        "a\u200bb",
        "a\x07b",
        "a\ufeff",
        "\u2066x",
        "\ue000",
        "\u0301",
        "x" * 31,
        "\x00",
    ],
)
def test_display_names_that_mislead(me, yasmin, name):
    response = save(me, "name", display_name=name)
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    yasmin.refresh_from_db()
    assert yasmin.display_name == ""


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("place", {"time_zone": "Moon/Base"}),
        ("place", {"time_zone": "../../etc/passwd"}),
        ("place", {"language": "tlh"}),
        ("playing", {"theme": "neon"}),
    ],
)
def test_what_does_not_exist_cannot_be_chosen(me, yasmin, section, fields):
    assert save(me, section, **fields).status_code == 422
    yasmin.refresh_from_db()
    assert (yasmin.time_zone, yasmin.language, yasmin.theme) == ("", "", "system")


def test_an_unknown_section_changes_nothing(me, yasmin):
    assert save(me, "is_staff", is_staff="on").status_code == 200
    yasmin.refresh_from_db()
    assert not yasmin.is_staff


def test_only_settings_are_settings(yasmin):
    with pytest.raises(ValueError, match="is_staff"):
        change_settings(player=yasmin, changes={"is_staff": True}, now=timezone.now())


def test_strangers_are_sent_to_the_door(client):
    response = client.get("/settings/")
    assert response.headers["Location"] == "/accounts/login/?next=/settings/"


def test_every_zone_is_offered_once(yasmin):
    section = PlaceSection(player=yasmin)
    zones = [
        zone
        for _, group in section["time_zone"].field.widget.choices
        if isinstance(group, list)
        for zone, _ in group
    ]
    assert len(zones) == len(set(zones)) > 400
    assert {"Africa/Casablanca", "America/Argentina/Ushuaia", "UTC"} <= set(zones)


def test_a_guess_never_overrules_a_choice(yasmin):
    remember_guessed_time_zone(player=yasmin, guess="Mars/Olympus", now=timezone.now())
    assert yasmin.time_zone == ""
    remember_guessed_time_zone(player=yasmin, guess="Europe/Oslo", now=timezone.now())
    remember_guessed_time_zone(player=yasmin, guess="Asia/Tokyo", now=timezone.now())
    yasmin.refresh_from_db()
    assert yasmin.time_zone == "Europe/Oslo"


def test_a_request_is_in_the_players_time_and_language(yasmin, settings):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    yasmin.time_zone, yasmin.language = "Asia/Tokyo", "fr"
    request = RequestFactory().get("/")
    request.user = yasmin
    noon = datetime(2026, 11, 16, 12, tzinfo=UTC)

    def view(request) -> HttpResponse:
        return HttpResponse(f"{timezone.localtime(noon):%H:%M} {translation.get_language()}")

    with translation.override("en"):
        response = PlayerPreferencesMiddleware(view)(request)
    assert response.content == b"21:00 fr"
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_zone_that_is_no_more_is_no_error(me, yasmin):
    type(yasmin).objects.update(time_zone="Old/Zone", language="xx")
    assert me.get("/settings/").status_code == 200
