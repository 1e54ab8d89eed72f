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


def shown(template, seen, drawing, **context):
    table = {"names": NAMES, "observation": seen}
    context |= {"board": draw(seen, **drawing), "table": table, "url": "/g/x/"}
    return render_to_string(f"games/ifrito/{template}", context)


def fragment(seen, label="", described_by="", **drawing):
    return shown("_board.html", seen, drawing, label=label, described_by=described_by)


def pad(seen, **drawing):
    return shown("_pad.html", seen, drawing)


def defs():
    return render_to_string("games/ifrito/_defs.svg")


def pictures():
    """A board at each step of a turn, with all that can be on it: what is seen, how it is drawn."""
    start = positions()[0].seen
    for tapped in ("", "enter:Uc3", "enter:Ua1", "enter:Ua1@N"):
        yield start, {"interactive": True, "chosen": tapped}
    seen, action = leaving()
    yield seen, {"interactive": True, "chosen": action}
    pick = of_kind("pick")[-1]
    yield pick.seen, {"interactive": True, "chosen": pick.seen["legal"][0]}
    for position in [p for p in positions() if p.last.get("captured")][:2]:
        yield position.seen, {"last": [position.last], "moving": 1}
    yield positions()[-1].seen, {}


def test_every_piece_that_is_used_is_defined():
    drawn = defs()
    defined = re.findall(r'\bid="([^"]+)"', drawn)
    assert len(defined) == len({*defined})
    boards = [fragment(seen, **how) + pad(seen, **how) for seen, how in pictures()]
    for text in (drawn, *boards):
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
    for seen, how in pictures():
        text = fragment(seen, label="The board", described_by="words", **how)
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
    def numbers(seen, how):
        return re.findall(r"[-\d.,]*\d", fragment(seen, **how))

    for seen, how in pictures():
        plain = numbers(seen, how)
        with translation.override(language):
            assert numbers(seen, how) == plain


def weight(text):
    return len(gzip.compress(text.encode()))


def test_boards_are_light():
    small = render_to_string(
        "games/ifrito/_board.svg", {"board": draw(positions()[0].seen, compact=True)}
    )
    assert weight(small) < 2_000
    assert weight(defs()) < 2_500
    assert weight(SHEET) < 3_500
    for seen, how in pictures():
        assert weight(fragment(seen, **how)) < 4_000


def test_cells_are_links_that_say_what_happens_there():
    seen = positions()[0].seen
    text = fragment(seen, interactive=True)
    assert text.count('class="spot cell"') == 50
    assert re.search(r'href="/g/x/\?choose=enter:Ua1"[^>]*aria-label="Ua1: a genie gets on"', text)
    assert re.search(r'choose=enter:Uc3"[^>]*tabindex="-1"\s+aria-label="Uc3: not possible\.', text)
    watched = fragment(seen)
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
    text = fragment({**seen, "viewer": 0, "carpets": lying})
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
    defined = {*re.findall(r"--([\w-]+):", SHEET + SHEETS["fonts.css"] + SHEETS["tokens.css"])}
    assert used <= defined
    tiles = dict(re.findall(r"\.(tile-\w\d) \{ fill: light-dark\((#\w+, #\w+)\)", SHEET))
    (genie,) = {*re.findall(r"--genie: light-dark\((#\w+, #\w+)\)", SHEET)}
    for theme in (0, 1):
        for colours in tiles.values():
            tile = colours.split(", ")[theme]
            assert contrast(genie.split(", ")[theme], tile) >= 3
            assert contrast(TOKENS["accent"][theme], tile) >= 3
