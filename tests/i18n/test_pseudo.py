"""Every text that people see goes through gettext: seen in a language that marks all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import translation

from games.models import Game, Notice, Player
from games.selectors import lessons
from games.services.notices.letters import write
from games.services.notices.parcels import Parcel
from tests.i18n.catalogues import CLOSE, OPEN, extracted, write_pseudo
from tests.people import NOON, new_players, open_game, play_on, signed_in, started_game, whose_turn

pytestmark = pytest.mark.django_db

SPOKEN = ("aria-label", "title", "alt", "placeholder")
OWN_NAMES = ("language", "time_zone")
UNSPOKEN = {"script", "style", "code", "kbd", "pre"}
FOR_SCRIPTS = "template"
SENTENCE = re.compile(r"^[A-Z][a-z]{2,}|[a-z]{2,} [a-z]{2,}")
WORD = re.compile(r"[^\W\d_]{2,}")
NOTATION = re.compile(r"\b(?:[UL]?[a-g][1-7]|NW|NE|SW|SE)\b|\S+@souk\.example")
NAMES = {"Souk", "Yasmin", "Omar", "Ileana", "Wei", "UTC", "HMAC", "SHA", "Plackett", "Luce"}
KEYS = lessons.taught()


class Text(HTMLParser):
    """What of a page is read or read out: running text, the attributes that speak, and the texts
    that its scripts show, among the names and places they are told."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.running: list[str] = []
        self.attributes: list[str] = []
        self.for_scripts: list[str] = []
        self._skipped: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes += [given[name] or "" for name in SPOKEN if name in given]
        if tag == "meta" and given.get("name") == "description":
            self.attributes.append(given.get("content") or "")
        by_their_own_names = tag in ("select", "button") and given.get("name") in OWN_NAMES
        if self._skipped or tag in UNSPOKEN or tag == FOR_SCRIPTS or by_their_own_names:
            self._skipped.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and tag in self._skipped:
            while self._skipped.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self.running.append(data)
        elif self._skipped == [FOR_SCRIPTS] and data.strip():
            self.for_scripts += [text for text in _texts(json.loads(data)) if SENTENCE.search(text)]


def _texts(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict | list):
        for each in told.values() if isinstance(told, dict) else told:
            yield from _texts(each)


def unmarked(text: str) -> list[str]:
    """The words that stand outside of all brackets."""
    depth, outside = 0, []
    for character in text:
        if character == OPEN:
            depth += 1
        elif character == CLOSE:
            depth -= 1
        elif depth == 0:
            outside.append(character)
        if character == CLOSE and depth == 0:
            outside.append(" ")
    assert depth == 0, text
    plain = NOTATION.sub(" ", "".join(outside))
    return [word for word in WORD.findall(plain) if word not in NAMES]


@pytest.fixture(scope="module")
def pseudo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pseudo")
    with pytest.MonkeyPatch.context() as monkeypatch:
        write_pseudo(extracted(folder, monkeypatch), folder)
    return folder


@pytest.fixture(autouse=True)
def _pseudo(pseudo_folder: Path, settings) -> None:
    settings.LANGUAGES = [*django_settings.LANGUAGES, ("xx", "Pseudo")]
    settings.LOCALE_PATHS = [pseudo_folder]


def check(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 200, path
    text = Text(response.content.decode())
    assert unmarked(" ".join(text.running)) == [], path
    for each in (*text.attributes, *text.for_scripts):
        assert unmarked(each) == [], (path, each)


def browser(player: Player) -> Client:
    Player.objects.filter(pk=player.pk).update(language="xx")
    return signed_in(player)


def test_the_language_of_brackets_is_spoken(client):
    page = client.get("/xx/help/").content.decode()
    assert f"<h1>{OPEN}Help{CLOSE}</h1>" in page
    told = '{"a": ["enter:La1", "translate(1 2) rotate(90)", {"ask": "Fly?"}, "La1: gets on"]}'
    assert Text(f"<template>{told}</template>b").for_scripts == ["Fly?", "La1: gets on"]
    assert unmarked(f"Hello {OPEN}dear {OPEN}old{CLOSE} world{CLOSE} a1 Omar") == ["Hello"]


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/games/", "/learn/", "/help/", "/archive/", "/numbers/"),
        *("/play/", "/records/check/", "/puzzle/archive/"),
        *("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"),
        *(
            f"/{what}/{key}/"
            for key in KEYS
            for what in ("rules", "learn", "leaderboard", "numbers")
        ),
        *(f"/numbers/{key}/openings/" for key in KEYS),
        *(f"/learn/{key}/{len(lessons.scenes(key))}/" for key in KEYS),
    ],
)
def test_pages_for_everybody(client, path):
    check(client, f"/xx{path.replace('/leaderboard/', '/leaderboards/')}")


@pytest.mark.parametrize("key", KEYS)
def test_all_words_of_a_tutorial(client, key):
    for number, scene in enumerate(lessons.scenes(key), start=1):
        played: list[str] = []
        for _ in range(scene.decisions):
            stage = lessons.stage(key, number, played)
            assert stage
            played.append(stage.table.observation["legal"][0])
            check(client, f"/xx/learn/{key}/{number}/{','.join(played)}/")


@pytest.mark.parametrize("key", KEYS)
def test_a_game_from_the_first_to_the_last_page(key):
    game = started_game(new_players(3), ruleset=key)
    table = game.get_absolute_url()
    for _ in range(5):
        check(browser(whose_turn(game)), table)
        play_on(game, 1)
    me = browser(game.seats.get(number=0).player)
    places = (table, f"{table}?move=2", f"{table}resign/", f"{table}proof/")
    for path in (*places, "/", "/settings/", "/settings/notices/", "/accounts/2fa/"):
        check(me, path)


@pytest.mark.parametrize("key", KEYS)
def test_opening_and_joining_a_game(key):
    yasmin, omar = new_players(2)
    game = open_game(yasmin, 3, ruleset=key)
    me, other = browser(yasmin), browser(omar)
    for path in (game.get_absolute_url(), "/games/new/", f"/games/new/?game={key}", "/"):
        check(me, path)
    for path in (f"{game.get_absolute_url()}join/", "/games/", yasmin.get_absolute_url()):
        check(other, path)


def test_letters(client):
    game = started_game(new_players(2))
    play_on(game, 2)
    Player.objects.update(language="xx")
    notices = list(Notice.objects.filter(game=game))
    assert notices
    both = Parcel(tuple(Notice.objects.filter(player=whose_turn(game))))
    assert both.is_list
    for parcel in [both, *(Parcel((Notice.objects.get(pk=each.pk),)) for each in notices)]:
        letter = write(parcel, now=NOON)
        assert unmarked(str(letter.subject)) == []
        words = re.sub(r"https?://\S+|\b[0-9a-f]{64}\b", "", str(letter.body))
        assert unmarked(words) == []
        for body, _ in letter.alternatives:
            assert unmarked(" ".join(Text(str(body)).running)) == []


def test_nothing_is_left_behind_by_this_language():
    assert translation.get_language() != "xx"
    assert Game.Pace.DAILY.label == "Daily"
