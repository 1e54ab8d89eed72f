"""The templates of Ifrito: whole, light, the same in every language, and free of styles."""

from __future__ import annotations

import gzip
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
import resvg_py
from django.template.loader import render_to_string
from django.utils import translation

from games.selectors.words import position_in_words
from games.titles.ifrito.board import draw
from games.titles.ifrito.rules import IFRITO
from games.titles.ifrito.rules.position import WHY_NOT
from games.titles.ifrito.words import WORDS
from tests.board.test_colours import SHEETS, STATIC, TOKENS, contrast

from .test_board import leaving, of_kind, positions

REFERENCE = re.compile(r'href="#([^"]+)"|url\(#([^)]+)\)')
COLOURS = [colour for (colour,) in IFRITO.colours(4)]
NAMES = ["Yasmin", "Omar", "Ileana", "Wei"]
SHEET = (STATIC / "ifrito" / "title.css").read_text()


class Table:
    names = NAMES


def fragment(board, **context):
    context = {"board": board, "url": "/g/x/", "table": Table, **context}
    return render_to_string("games/ifrito/_board.html", context)


def pad(board):
    return render_to_string("games/ifrito/_pad.html", {"board": board, "url": "/g/x/"})


def defs():
    return render_to_string("games/ifrito/_defs.svg")


def pictures():
    """A board at each step of a turn, with all that can be on it."""
    start = positions()[0].seen
    for tapped in ("", "enter:Uc3", "enter:Ua1", "enter:Ua1@N"):
        yield draw(start, interactive=True, chosen=tapped)
    seen, action = leaving()
    yield draw(seen, interactive=True, chosen=action)
    pick = of_kind("pick")[-1]
    yield draw(pick.seen, interactive=True, chosen=pick.seen["legal"][0])
    for position in [p for p in positions() if p.last.get("captured")][:2]:
        yield draw(position.seen, last=[position.last], moving=1)
    yield draw(positions()[-1].seen)


def test_every_piece_that_is_used_is_defined():
    drawn = defs()
    defined = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(defined) == len({*defined})
    for text in (drawn, *(fragment(board) + pad(board) for board in pictures())):
        used = {one or other for one, other in REFERENCE.findall(text)}
        assert used
        assert used <= {*defined}


def test_no_name_of_a_piece_clashes_with_those_of_marrakech():
    """A list may show boards of both games on one page."""
    ids = [
        {*re.findall(r'\bid="([^"]+)"', render_to_string(f"games/{game}/_defs.svg"))}
        for game in ("marrakech", "ifrito")
    ]
    assert not ids[0] & ids[1]


def test_pictures_are_well_formed_and_carry_no_style_or_script():
    for board in pictures():
        text = fragment(board, label="The board", described_by="words")
        ElementTree.fromstring(text)
        assert not re.search(r"\sstyle=|<style|<script|\son\w+=", text)


def test_every_colour_has_a_cloth_and_a_cushion_of_its_own_shape():
    tree = ElementTree.fromstring(defs())
    by_id = {node.get("id"): node for node in tree.iter() if node.get("id")}
    for piece in ("cloth", "rest"):
        shapes = [
            "".join(node.get("d", "") for node in by_id[f"{piece}-{colour}"].iter())
            for colour in COLOURS
        ]
        for one, other in combinations(shapes, 2):
            assert one != other


@pytest.mark.parametrize("language", ["pl", "ru", "zh-hant"])
def test_numbers_are_drawn_alike_in_every_language(language):
    def numbers(board):
        return re.findall(r"[-\d.,]*\d", fragment(board))

    for board in pictures():
        plain = numbers(board)
        with translation.override(language):
            assert numbers(board) == plain


def weight(text):
    return len(gzip.compress(text.encode()))


def test_boards_are_light():
    small = render_to_string(
        "games/ifrito/_board.svg", {"board": draw(positions()[0].seen, compact=True)}
    )
    assert weight(small) < 2_000
    assert weight(defs()) < 2_500
    assert weight(SHEET) < 3_500
    for board in pictures():
        assert weight(fragment(board)) < 4_000


def test_cells_are_links_that_say_what_happens_there():
    seen = positions()[0].seen
    text = fragment(draw(seen, interactive=True))
    assert text.count('class="spot cell"') == 50
    assert re.search(r'href="/g/x/\?choose=enter:Ua1"[^>]*aria-label="Ua1: a genie gets on"', text)
    assert re.search(r'choose=enter:Uc3"[^>]*tabindex="-1"\s+aria-label="Uc3: not possible\.', text)
    watched = fragment(draw(seen))
    assert "<a " not in watched
    assert watched.count('class="cell"') == 50


def test_every_reason_why_not_has_words_of_its_own():
    said = {why: WORDS.why(why) for why in WHY_NOT}
    assert len({*said.values()}) == len(WHY_NOT)


def test_a_carpet_without_genies_is_crossed_and_an_own_one_has_tassels():
    seen = positions()[0].seen
    lying = [
        {"id": 0, "seat": 0, "cell": "Ua1", "cushions": ["N"]},
        {"id": 3, "seat": 1, "cell": "Lb1", "cushions": []},
    ]
    text = fragment(draw({**seen, "viewer": 0, "carpets": lying}))
    own = text[text.index('href="#carpet-red"') :].split("</g>")[0]
    other = text[text.index('href="#carpet-blue"') :].split("</g>")[0]
    assert "#tassels" in own
    assert "#bare" not in own
    assert "#tassels" not in other
    assert "#bare" in other


def test_the_position_in_words_tells_all_of_both_planes():
    position = positions()[len(positions()) // 2]
    lines = position_in_words(position.seen, NAMES).splitlines()
    for carpet in position.seen["carpets"]:
        if carpet["cell"]:
            (line,) = [line for line in lines if f" {carpet['cell']} with" in line]
            assert NAMES[carpet["seat"]] in line
    upper, lower = (line.rstrip(".").split(":")[1].split() for line in lines[-2:])
    genies = {n for n, cell in position.seen["cells"].items() if cell["genie"]}
    assert {*upper} | {*lower} == genies
    assert {n[0] for n in upper} <= {"U"}
    assert {n[0] for n in lower} <= {"L"}


def test_the_picture_for_mail_stands_alone():
    board = draw(positions()[-1].seen)
    text = render_to_string("games/ifrito/picture.svg", {"board": board})
    assert ElementTree.fromstring(text).get("width") == "676"
    assert "var(" not in text
    with translation.override("zh-hant"):
        assert render_to_string("games/ifrito/picture.svg", {"board": board}) == text
    assert "Upper" not in text
    assert bytes(resvg_py.svg_to_bytes(svg_string=text))[:4] == b"\x89PNG"


def test_the_cell_above_or_below_lights_up_for_each_cell():
    for place in range(1, 26):
        assert f".planes:has(.cell:nth-child({place}):is(:hover, :focus-visible))" in SHEET


def test_the_sheet_uses_tokens_that_exist_and_signs_can_be_read():
    used = {*re.findall(r"var\(--([\w-]+)", SHEET)}
    defined = {*re.findall(r"--([\w-]+):", SHEET + SHEETS["tokens.css"])}
    assert used <= defined
    tiles = dict(re.findall(r"\.(tile-\w\d) \{ fill: light-dark\((#\w+, #\w+)\)", SHEET))
    (genie,) = {*re.findall(r"--genie: light-dark\((#\w+, #\w+)\)", SHEET)}
    for theme in (0, 1):
        for colours in tiles.values():
            tile = colours.split(", ")[theme]
            assert contrast(genie.split(", ")[theme], tile) >= 3
            assert contrast(TOKENS["accent"][theme], tile) >= 3
