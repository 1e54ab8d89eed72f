"""Which language a page speaks, and where it is found in each of them."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.urls import get_script_prefix, reverse
from django.utils import translation

from games import languages
from games.models import Player
from tests.history.archive import stored_game
from tests.people import new_player, open_game

pytestmark = pytest.mark.django_db
CODES = [code for code, _ in settings.LANGUAGES]


def spoken(client, path="/", **headers) -> str:
    page = client.get(path, headers=headers)
    assert page.status_code == 200
    found = re.search(r'<html lang="([\w-]+)"', page.content.decode())
    assert found
    assert page.headers["Content-Language"] == found[1]
    return found[1]


def test_the_five_languages_and_their_addresses():
    assert CODES == ["en", "ru", "pl", "ro", "zh-hant"]
    assert languages.split("/pl/games/") == ("pl", "/games/")
    assert languages.split("/zh-hant/") == ("zh-hant", "/")
    assert languages.split("/pl") == ("pl", "/")
    for other in ("/", "/games/", "/plum/", "/fr/games/", "/g/pl/", "//pl/"):
        assert languages.split(other) == ("", other)
    assert languages.addresses("/ru/games/")["en"] == "/en/games/"
    assert languages.addresses("/")["pl"] == "/pl/"


@pytest.mark.parametrize("code", CODES)
def test_an_address_may_name_its_language(client, code):
    assert spoken(client, f"/{code}/games/", accept_language="de, fr") == code
    assert spoken(client, f"/{code}/", accept_language="ro") == code


def test_an_address_without_one_speaks_as_the_browser(client):
    assert spoken(client) == "en"
    assert spoken(client, accept_language="pl-PL,pl;q=0.9,en;q=0.5") == "pl"
    assert spoken(client, accept_language="de, ru;q=0.4") == "ru"
    assert spoken(client, accept_language="xx") == "en"
    for chinese in ("zh-TW", "zh-HK", "zh-Hant", "zh-Hant-TW", "zh"):
        assert spoken(client, accept_language=chinese) == "zh-hant"


def test_caches_know_what_the_language_depends_on(client):
    vary = client.get("/games/").headers["Vary"]
    assert "Accept-Language" in vary
    assert "Cookie" in vary


def test_a_language_does_not_outlive_its_request(client):
    before = translation.get_language()
    client.get("/pl/games/")
    assert translation.get_language() == before
    assert get_script_prefix() == "/"
    assert reverse("lobby") == "/games/"


def test_links_of_a_page_stay_in_its_language(client):
    page = client.get("/pl/games/").content.decode()
    assert 'href="/pl/"' in page
    assert 'href="/pl/accounts/login/"' in page
    assert "/pl/static/" not in page
    assert "/static/games/css/frame.css" in page


def test_a_missing_slash_is_added_in_the_same_language(client):
    moved = client.get("/pl/games")
    assert (moved.status_code, moved.headers["Location"]) == (301, "/pl/games/")


def test_a_language_nobody_speaks_here_is_no_page(client):
    assert client.get("/fr/games/").status_code == 404


def test_the_account_speaks_before_the_address(me, yasmin):
    Player.objects.filter(pk=yasmin.pk).update(language="ro")
    assert spoken(me, "/ru/games/", accept_language="pl") == "ro"
    Player.objects.filter(pk=yasmin.pk).update(language="")
    assert spoken(me, "/ru/games/", accept_language="pl") == "ru"


def test_a_visitor_chooses_a_language_and_keeps_it(client):
    back = client.post("/language/", {"language": "ro", "next": "/games/?size=3"})
    assert (back.status_code, back.headers["Location"]) == (302, "/games/?size=3")
    assert spoken(client, "/games/", accept_language="pl") == "ro"
    assert spoken(client, "/ru/games/") == "ru"


def test_a_choice_replaces_the_language_of_the_address(client):
    back = client.post("/pl/language/", {"language": "en", "next": "/pl/games/?size=3"})
    assert back.headers["Location"] == "/en/games/?size=3"


def test_a_player_s_choice_is_kept_in_the_account(me, yasmin):
    me.post("/language/", {"language": "zh-hant", "next": "/games/"})
    yasmin.refresh_from_db()
    assert yasmin.language == "zh-hant"
    assert spoken(me, "/games/") == "zh-hant"


@pytest.mark.parametrize("given", ["https://evil.example/", "//evil.example", "javascript:x", ""])
def test_a_choice_never_leads_away(client, given):
    back = client.post("/language/", {"language": "pl", "next": given})
    assert back.headers["Location"] == "/"


def test_an_unknown_language_changes_nothing(me, yasmin):
    back = me.post("/language/", {"language": "tlh", "next": "/games/"})
    assert back.headers["Location"] == "/games/"
    assert settings.LANGUAGE_COOKIE_NAME not in back.cookies
    yasmin.refresh_from_db()
    assert yasmin.language == ""


def test_every_page_offers_all_languages_by_their_own_names(client):
    page = client.get("/pl/games/?size=3").content.decode()
    for code, name in settings.LANGUAGES:
        assert re.search(
            rf'<button name="language" value="{code}"\s+lang="{code}"[^>]*>{name}<', page
        )
    assert '<input type="hidden" name="next" value="/pl/games/?size=3">' in page


def test_what_is_sent_to_others_has_no_language(me, yasmin):
    """Whoever gets a link reads its page in another language, perhaps."""
    Player.objects.filter(pk=yasmin.pk).update(language="ru")
    game = open_game(yasmin, 2)
    room = me.get(f"/ru{game.get_absolute_url()}").content.decode()
    assert f'value="http://testserver{game.get_absolute_url()}join/"' in room
    over = stored_game([yasmin, new_player("Omar")])
    table = me.get(f"/ru{over.get_absolute_url()}").content.decode()
    assert f'data-shares="{over.get_absolute_url()}"' in table
    assert f"{settings.SITE_URL}/invited/" in me.get("/ru/invite/").content.decode()


def test_search_engines_find_each_language(client):
    page = client.get("/pl/games/?size=3").content.decode()
    links = dict(re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)">', page))
    site = settings.SITE_URL
    assert links == {
        "x-default": f"{site}/games/",
        **{code: f"{site}/{code}/games/" for code in CODES},
    }
    assert f'<link rel="canonical" href="{site}/pl/games/">' in page


def test_whoever_signs_up_goes_on_in_the_language_of_the_page(client):
    form = {"username": "Ewa", "email": "ewa@souk.example", "password1": "a long pass phrase 9"}
    assert client.post("/pl/accounts/signup/", form).status_code == 302
    assert Player.objects.get(username="Ewa").language == "pl"
