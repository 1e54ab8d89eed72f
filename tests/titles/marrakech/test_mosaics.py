"""The drawn ways around the board are those that the rules walk."""

from __future__ import annotations

import re

import pytest

from games.titles.marrakech.board.grid import HEADINGS, Square
from games.titles.marrakech.board.mosaics import mosaics, set_out, step, walk
from games.titles.marrakech.rules.geometry import POSE_NAMES, WALKS

POSES = [(at, name[:2], name[3:]) for at, name in POSE_NAMES.items()]
SIZE = 280


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+", path)]


def middle(name: str) -> list[float]:
    return [40 * "abcdefg".index(name[0]) + 20, SIZE - 40 * int(name[1]) + 20]


def test_each_step_is_the_engines():
    for at, square, heading in POSES:
        ahead, onward = step(Square.named(square), HEADINGS[heading])
        assert f"{ahead.name} {onward.name}" == POSE_NAMES[WALKS[at][1].end]


def test_a_walk_is_drawn_from_where_it_starts_to_where_the_engine_ends_it():
    for at, square, heading in POSES:
        for face, engine_walk in WALKS[at].items():
            drawn = walk(Square.named(square), HEADINGS[heading], face)
            assert numbers(drawn)[:2] == middle(square)
            assert numbers(drawn)[-2:] == middle(engine_walk.path[-1])
            straight_or_bent = drawn.count("L") - drawn.count("A")
            assert straight_or_bent == face


def test_a_walk_can_be_found_again_from_its_end():
    for at, square, heading in POSES:
        for face, engine_walk in WALKS[at].items():
            end, facing = POSE_NAMES[engine_walk.end].split()
            start, setting_out = set_out(Square.named(end), HEADINGS[facing], face)
            assert (start.name, setting_out.name) == (square, heading)


def ends(path: str) -> frozenset[tuple[float, float]]:
    given = numbers(path)
    return frozenset({(given[0], given[1]), (given[-2], given[-1])})


def column(letter: str, edge: float) -> tuple[float, float]:
    return (40 * "abcdefg".index(letter) + 20, edge)


def row(number: int, edge: float) -> tuple[float, float]:
    return (edge, SIZE - 40 * number + 20)


def test_all_pairs_and_both_corner_loops_are_drawn_once():
    expected = [
        *({column(a, 0), column(b, 0)} for a, b in ("ab", "cd", "ef")),
        *({column(a, SIZE), column(b, SIZE)} for a, b in ("bc", "de", "fg")),
        *({row(a, 0), row(b, 0)} for a, b in ((7, 6), (5, 4), (3, 2))),
        *({row(a, SIZE), row(b, SIZE)} for a, b in ((6, 5), (4, 3), (2, 1))),
        {column("g", 0), row(7, SIZE)},
        {column("a", SIZE), row(1, 0)},
    ]
    drawn = [ends(path) for path in mosaics()]
    assert len(drawn) == 14
    assert set(drawn) == {frozenset(pair) for pair in expected}


@pytest.mark.parametrize("path", mosaics())
def test_a_mosaic_bends_outwards(path):
    ax, ay, radius, _, _, far, sweep, bx, by = numbers(path)
    # The middle of the circle: between the ends of a half circle, the corner for a loop.
    cx, cy = ((ax + bx) / 2, (ay + by) / 2) if not far else (round(ax / SIZE), round(ay / SIZE))
    if far:
        cx, cy = cx * SIZE, cy * SIZE
    turn = 1 if sweep else -1
    # A quarter of a turn from the start is on the arc, and outside the squares.
    x, y = cx - turn * (ay - cy), cy + turn * (ax - cx)
    assert abs(ax - cx) + abs(ay - cy) == radius
    assert x < 0 or y < 0 or x > SIZE or y > SIZE
