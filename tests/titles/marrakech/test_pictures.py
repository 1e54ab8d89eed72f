"""The templates of the board: whole, light, the same in every language, and free of styles."""

from __future__ import annotations

import gzip
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from games.titles.marrakech.board import draw
from games.titles.marrakech.rules import MARRAKECH

from .played import of_kind, positions

SVG = "{http://www.w3.org/2000/svg}"
REFERENCE = re.compile(r'href="#([^"]+)"|url\(#([^)]+)\)')
COLOURS = MARRAKECH.colours(4)


def fragment(**context):
    return render_to_string("games/marrakech/_board.html", {"url": "/g/x/", **context})


def defs():
    return render_to_string("games/marrakech/_defs.svg")


def pictures():
    """A board of each kind, with all that can be on it."""
    for kind in ("turn", "lay", "roll", "face"):
        position = of_kind(kind)[-1]
        chosen = position.seen["legal"][0]
        yield draw(position.seen, interactive=True, chosen=chosen, last=[position.last], moving=1)
    yield draw(positions()[-1].seen)


def test_every_piece_that_is_used_is_defined():
    drawn = defs()
    defined = set(re.findall(r'\bid="([^"]+)"', drawn))
    for text in (drawn, *(fragment(board=board) for board in pictures())):
        used = {one or other for one, other in REFERENCE.findall(text)}
        assert used
        assert used <= defined


def test_pictures_are_well_formed_and_carry_no_style_or_script():
    for board in pictures():
        text = fragment(board=board, label="The board", described_by="words")
        ElementTree.fromstring(text)
        assert not re.search(r"\sstyle=|<style|<script|\son\w+=", text)


def test_every_colour_has_a_weave_of_its_own_and_not_only_in_colour():
    tree = ElementTree.fromstring(defs())
    patterns = {p.get("id"): p for p in tree.iter(f"{SVG}pattern")}
    shapes = {
        colour: "".join(path.get("d", "") for path in patterns[f"weave-{colour}"])
        for (colour,) in COLOURS
    }
    assert len(shapes) == 4
    for one, other in combinations(shapes, 2):
        assert shapes[one] != shapes[other]


@pytest.mark.parametrize("language", ["pl", "ru", "zh-hant"])
def test_numbers_are_drawn_alike_in_every_language(language):
    def numbers(board):
        return re.findall(r"[-\d.,]*\d", fragment(board=board))

    for board in pictures():
        plain = numbers(board)
        with translation.override(language):
            assert numbers(board) == plain


def weight(text):
    return len(gzip.compress(text.encode()))


def test_boards_are_light():
    full = max(positions(), key=lambda position: len(position.seen["rugs"])).seen
    small = render_to_string("games/marrakech/_board.svg", {"board": draw(full, compact=True)})
    assert weight(small) < 2_000
    assert weight(defs()) < 3_500
    for board in pictures():
        assert weight(fragment(board=board)) < 4_000


def test_controls_are_named_links_and_buttons():
    lay = fragment(board=draw(of_kind("lay")[0].seen, interactive=True))
    assert 'href="/g/x/?choose=lay:' in lay
    assert re.search(r'aria-label="Lay the rug on [a-g]\d and [a-g]\d"', lay)
    turn = fragment(board=draw(of_kind("turn")[0].seen, interactive=True))
    for action, name in (("L", "Turn left"), ("S", "Straight on"), ("R", "Turn right")):
        assert re.search(rf'name="action" value="turn:{action}"[^>]*label="{name}"', turn)


def test_the_picture_for_mail_stands_alone():
    text = render_to_string("games/marrakech/picture.svg", {"board": draw(positions()[-1].seen)})
    tree = ElementTree.fromstring(text)
    assert tree.get("width") == "676"
    assert "var(" not in text
    assert "weave-red" in text


@pytest.mark.parametrize(("count", "drawn"), [(0, None), (3, "3"), (12, "12"), (250, "99")])
def test_the_icon_carries_the_number_of_waiting_games(count, drawn):
    tree = ElementTree.fromstring(render_to_string("games/_favicon.svg", {"count": count}))
    text = tree.find(f"{SVG}text")
    assert (None if text is None else text.text) == drawn
