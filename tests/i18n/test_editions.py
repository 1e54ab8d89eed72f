"""Whoever reads a language has its printed edition at home, and finds it chosen here."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from games import titles
from games.engine.record import write
from games.forms.lobby import NewGameForm
from games.models import Game, Notice
from games.services import play
from games.services.notices import letters, links
from games.services.notices.parcels import Parcel
from tests.history.archive import record_of
from tests.people import NOON, actor, new_players, open_game, play_on, started_game

EDITIONS = {
    "en": "international",
    "zh-hant": "international",
    "pl": "polish",
    "ru": "russian",
    "ro": "romanian",
}


@pytest.mark.parametrize(("code", "edition"), EDITIONS.items())
def test_a_new_game_starts_with_the_edition_of_the_reader(code: str, edition: str) -> None:
    with translation.override(code):
        form = NewGameForm(title=titles.TITLES["marrakech"])
        assert form["edition"].initial == edition


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "edition"), EDITIONS.items())
def test_play_now_plays_the_edition_of_the_reader(client, code: str, edition: str) -> None:
    chosen = {"game": "marrakech", "opponents": 1, "level": "apprentice", "entropy": "mint"}
    assert client.post(f"/{code}/play/", chosen).status_code == 302
    game = Game.objects.get()
    assert game.edition == edition
    assert game.options == titles.TITLES["marrakech"].rules.presets[edition]


def test_a_game_with_one_edition_has_it_in_every_language():
    only = next(iter(titles.TITLES["ifrito"].rules.presets))
    assert {titles.TITLES["ifrito"].edition_in(code) for code in EDITIONS} == {only}


@pytest.fixture
def tables(db: None) -> dict[str, str]:
    """Every page that shows a game, of one that is played by the Polish booklet."""
    yasmin, omar = new_players(2)
    rules = titles.TITLES["marrakech"].rules.presets["polish"]
    wishes: dict[str, Any] = {"options": rules, "edition": "polish"}
    running, waiting = started_game([yasmin, omar], **wishes), open_game(yasmin, 2, **wishes)
    play_on(running, 2)
    over = started_game([yasmin, omar], **wishes)
    play.resign(game_id=over.pk, player=omar, now=NOON)
    address = running.get_absolute_url()
    seat = actor(running)
    return {
        "running table": address,
        "replay": f"{address}?move=1",
        "finished table": over.get_absolute_url(),
        "proof": f"{over.get_absolute_url()}proof/",
        "waiting room": waiting.get_absolute_url(),
        "joining": f"{waiting.get_absolute_url()}join/",
        "decision by mail": links.decision_url(seat, running).replace(settings.SITE_URL, ""),
    }


def test_every_page_of_a_game_names_its_edition_and_what_it_means(client, tables):
    for what, address in tables.items():
        page = client.get(address).content.decode()
        assert "Polish (2024)" in page, what
        assert "Broke, but still playing" in page, what
        (rules,) = re.findall(r'href="(/rules/marrakech/\?[^"]+)"', page)
        as_played = client.get(html.unescape(rules)).content.decode()
        assert "Whoever cannot pay in full pays what is there and plays on." in as_played, what


@pytest.mark.django_db
def test_a_record_from_outside_names_the_edition_that_is_played_so(client):
    options = titles.TITLES["marrakech"].rules.presets["polish"]
    record = write(record_of(options=options))
    page = client.post("/records/check/", {"text": record}).content.decode()
    assert "Polish (2024)" in page


@pytest.mark.django_db
def test_an_invitation_by_mail_names_the_edition():
    yasmin, omar = new_players(2)
    game = open_game(yasmin, 2, visibility="named", invited=[omar])
    notice = Notice.objects.get(player=omar, game=game)
    letter = letters.write(Parcel((notice,)), now=NOON)
    assert "Rules: International (2022)." in str(letter.body)
