"""Whoever reads a language has its printed edition at home, and finds it chosen here."""

from __future__ import annotations

import pytest
from django.utils import translation

from games import titles
from games.forms.lobby import NewGameForm
from games.models import Game

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
