"""What is drawn once for everybody is never out of date, and never somebody else's."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.template import engines
from django.urls import get_script_prefix, set_script_prefix
from django.utils import translation

from games.selectors.lobby import Card, Sitter
from games.templatetags import drawing

HEAD = "games/_card_head.html"


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    drawing._kept.cache_clear()


def card(name: str = "Yasmin", **fields: object) -> Card:
    known = {
        "public_id": "abcdefghjkmn",
        "ruleset": "marrakech",
        "edition": "",
        "size": 2,
        "pace": "daily",
        "rated": False,
        "move_count": 3,
        "free": 0,
        "sitters": (Sitter(name, ""),),
    }
    return Card(**{**known, **fields})  # type: ignore[arg-type]


def test_the_same_content_is_drawn_once() -> None:
    assert drawing.drawn(HEAD, card=card()) == drawing.drawn(HEAD, card=card())
    assert drawing._kept.cache_info().misses == 1


def test_other_content_is_drawn_anew() -> None:
    assert "Yasmin" in drawing.drawn(HEAD, card=card())
    assert "Omar" in drawing.drawn(HEAD, card=card("Omar"))
    assert "4 players" in drawing.drawn(HEAD, card=card(size=4))


def test_each_language_has_its_own() -> None:
    english = drawing.drawn(HEAD, card=card())
    with translation.override("pl"):
        assert drawing.drawn(HEAD, card=card()) != english
    assert drawing.drawn(HEAD, card=card()) == english


def test_addresses_begin_as_those_of_the_page() -> None:
    root = get_script_prefix()
    drawing.drawn(HEAD, card=card())
    set_script_prefix("/pl/")
    try:
        assert 'href="/pl/g/' in drawing.drawn(HEAD, card=card())
    finally:
        set_script_prefix(root)


def test_what_players_wrote_is_escaped() -> None:
    assert "&lt;b&gt;" in drawing.drawn(HEAD, card=card("<b>"))


@dataclass
class Changing:
    """Its content can change without notice."""

    sitters: list[Sitter]


def test_what_can_change_is_drawn_each_time() -> None:
    shown = Changing([Sitter("Yasmin", "")])
    template = engines["django"].from_string(
        '{% load drawing %}{% drawn "games/_card_head.html" card=card %}'
    )
    fields = {"public_id": "abcdefghjkmn", "ruleset": "marrakech", "size": 2}
    context = {"card": {**fields, "sitters": shown.sitters}}
    assert "Yasmin" in template.render(context)
    shown.sitters[0] = Sitter("Omar", "")
    assert "Omar" in template.render(context)
    assert drawing._kept.cache_info().misses == 0
