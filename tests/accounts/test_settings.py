from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation

from games.middleware import PlayerPreferencesMiddleware
from games.services.accounts import change_settings, remember_guessed_time_zone
from tests.people import settings_of


@pytest.fixture
def me(client, yasmin):
    client.force_login(yasmin)
    return client


@pytest.fixture
def save(me, yasmin):
    def post(**changes):
        yasmin.refresh_from_db()
        return me.post("/settings/", settings_of(yasmin, **changes))

    return post


def test_one_form_saves_everything(me, save, yasmin):
    changes = {
        "display_name": "  Yasmin   from\tFès ",
        "language": "en",
        "time_zone": "Africa/Casablanca",
        "theme": "dark",
        "confirm_moves": "off",
        "mail": "digest",
        "quiet_from": "22:00",
        "quiet_to": "07:00",
    }
    assert save(**changes).status_code == 302
    yasmin.refresh_from_db()
    assert yasmin.display_name == "Yasmin from Fès"
    assert (yasmin.language, yasmin.time_zone) == ("en", "Africa/Casablanca")
    assert (yasmin.theme, yasmin.confirm_moves) == ("dark", False)
    assert (yasmin.mail, str(yasmin.quiet_from)) == ("digest", "22:00:00")
    assert 'data-theme="dark"' in me.get("/settings/").content.decode()


def test_nothing_is_lost_when_something_is_wrong(me, save, yasmin):
    answer = save(display_name="Jasmine", theme="dark", quiet_from="22:00")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="Jasmine"' in page
    assert 'value="22:00"' in page
    assert re.search(r'value="dark"[^>]* checked', page)
    assert "Quiet hours: not saved." in page
    yasmin.refresh_from_db()
    assert (yasmin.display_name, yasmin.theme) == ("", "system")
    assert save(quiet_from="22:00", quiet_to="07:00", display_name="J").status_code == 302


def test_what_is_not_changed_is_left_alone(save, yasmin):
    save(quiet_from="22:00", quiet_to="07:00")
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    type(yasmin).objects.update(quiet_counts_from=long_ago)
    assert save(display_name="Jasmine").status_code == 302
    yasmin.refresh_from_db()
    assert yasmin.quiet_counts_from == long_ago


def test_a_script_saves_each_change_as_it_is_made(me, yasmin):
    def changed(**changes):
        yasmin.refresh_from_db()
        return me.post("/settings/", settings_of(yasmin, **changes), headers={"HX-Request": "true"})

    answer = changed(display_name="Jasmine")
    assert answer.status_code == 200
    assert "Saved." in answer.content.decode()
    assert "<form" not in answer.content.decode()
    assert changed(theme="dark").headers["HX-Refresh"] == "true"
    refused = changed(quiet_from="22:00")
    assert refused.status_code == 422
    assert "Quiet hours have a beginning and an end." in refused.content.decode()
    yasmin.refresh_from_db()
    assert (yasmin.display_name, yasmin.theme) == ("Jasmine", "dark")


def test_an_empty_display_name_falls_back_to_the_name(save, yasmin):
    save(display_name="Y")
    save(display_name="   ")
    yasmin.refresh_from_db()
    assert str(yasmin) == "Yasmin"


@pytest.mark.parametrize(
    "name", ["ياسمين", "雅思敏", "می\u200cخواهم", "👩\u200d🚀", "Ÿ" * 30, "O'Neill & <b>"]
)
def test_display_names_in_any_writing(save, yasmin, name):
    assert save(display_name=name).status_code == 302
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
def test_display_names_that_mislead(save, yasmin, name):
    response = save(display_name=name)
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    yasmin.refresh_from_db()
    assert yasmin.display_name == ""


@pytest.mark.parametrize(
    "fields",
    [
        {"time_zone": "Moon/Base"},
        {"time_zone": "../../etc/passwd"},
        {"language": "tlh"},
        {"theme": "neon"},
    ],
)
def test_what_does_not_exist_cannot_be_chosen(save, yasmin, fields):
    assert save(**fields).status_code == 422
    yasmin.refresh_from_db()
    assert (yasmin.time_zone, yasmin.language, yasmin.theme) == ("", "", "system")


def test_what_is_no_setting_changes_nothing(save, yasmin):
    assert save(is_staff="on").status_code == 302
    yasmin.refresh_from_db()
    assert not yasmin.is_staff


def test_only_settings_are_settings(yasmin):
    with pytest.raises(ValueError, match="is_staff"):
        change_settings(player=yasmin, changes={"is_staff": True}, now=timezone.now())


def test_strangers_are_sent_to_the_door(client):
    response = client.get("/settings/")
    assert response.headers["Location"] == "/accounts/login/?next=/settings/"


def test_a_place_is_typed_and_kept_as_its_zone(me, save, yasmin):
    for typed in ("Warsaw (Poland)", "warsaw", "Poland", "Europe/Warsaw"):
        save(time_zone="")
        save(time_zone=typed)
        yasmin.refresh_from_db()
        assert yasmin.time_zone == "Europe/Warsaw", typed
    page = me.get("/settings/").content.decode()
    assert 'value="Warsaw (Poland)"' in page
    assert '<option value="Casablanca (Morocco)">' in page


def test_a_place_that_could_be_several_is_asked_for_again(save):
    assert "Choose a place from the list." in save(time_zone="New").content.decode()


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
