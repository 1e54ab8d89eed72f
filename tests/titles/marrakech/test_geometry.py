"""The board: mosaics along all edges, the two corner loops, the places for a rug."""

from __future__ import annotations

import pytest

from games.titles.marrakech.rules.geometry import (
    NAMES,
    NUMBERS,
    POSE_NAMES,
    POSES,
    REACH,
    SPOT_BY_ACTION,
    SPOTS,
    SQUARES,
    TOUCHING,
    WALKS,
    region,
    turned,
)
from tests.titles.marrakech.positions import facing

# Each way off the board, and where and how he comes back in.
MOSAICS = """
a7 north > b7 south   b7 north > a7 south   c7 north > d7 south   d7 north > c7 south
e7 north > f7 south   f7 north > e7 south   g7 north > g7 west
g7 east > g7 south    g6 east > g5 west     g5 east > g6 west     g4 east > g3 west
g3 east > g4 west     g2 east > g1 west     g1 east > g2 west
a1 south > a1 east    b1 south > c1 north   c1 south > b1 north   d1 south > e1 north
e1 south > d1 north   f1 south > g1 north   g1 south > f1 north
a1 west > a1 north    a2 west > a3 east     a3 west > a2 east     a4 west > a5 east
a5 west > a4 east     a6 west > a7 east     a7 west > a6 east
"""
WAYS_OFF = {
    words[0] + " " + words[1]: words[3] + " " + words[4]
    for line in MOSAICS.strip().splitlines()
    for words in [way.split() for way in line.split("  ") if way.strip()]
}


def walk(start: str, steps: int) -> str:
    return POSE_NAMES[WALKS[facing(start)][steps].end]


def test_all_28_ways_off_the_board_are_in_the_table() -> None:
    assert len(WAYS_OFF) == 28


@pytest.mark.parametrize(("start", "end"), WAYS_OFF.items())
def test_the_mosaics_bring_assam_back(start: str, end: str) -> None:
    assert walk(start, 1) == end


def test_inside_he_walks_straight_ahead() -> None:
    ahead = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
    for at in POSES:
        start = POSE_NAMES[at]
        if start in WAYS_OFF:
            continue
        square, heading = start.split()
        right, up = ahead[heading]
        expected = f"{chr(ord(square[0]) + right)}{int(square[1]) + up} {heading}"
        assert walk(start, 1) == expected


@pytest.mark.parametrize(
    ("start", "steps", "path", "end"),
    [
        ("c2 south", 3, ("c1", "b1", "b2"), "b2 north"),
        ("a7 west", 1, ("a6",), "a6 east"),
        ("g7 north", 2, ("g7", "f7"), "f7 west"),
        ("g7 east", 3, ("g7", "g6", "g5"), "g5 south"),
        ("g6 north", 3, ("g7", "g7", "f7"), "f7 west"),
        ("a1 south", 4, ("a1", "b1", "c1", "d1"), "d1 east"),
        ("a1 west", 2, ("a1", "a2"), "a2 north"),
        ("b1 west", 3, ("a1", "a1", "a2"), "a2 north"),
        ("d4 south", 4, ("d3", "d2", "d1", "e1"), "e1 north"),
    ],
)
def test_worked_walks(start: str, steps: int, path: tuple[str, ...], end: str) -> None:
    assert walk(start, steps) == end
    assert WALKS[facing(start)][steps].path == path


def test_every_walk_can_be_walked_back() -> None:
    """He turns round and walks as far: he is where he came from, looking the other way."""
    for at in POSES:
        for steps, there in WALKS[at].items():
            back = WALKS[turned(there.end, 2)][steps].end
            assert back == turned(at, 2), f"{POSE_NAMES[at]}, {steps} steps"


def test_a_longer_walk_goes_on_where_the_shorter_one_ended() -> None:
    for at in POSES:
        for steps in (2, 3, 4):
            assert WALKS[at][steps].end == WALKS[WALKS[at][steps - 1].end][1].end
            assert len(WALKS[at][steps].path) == steps


def test_quarter_turns() -> None:
    assert POSE_NAMES[turned(facing("d4 north"), 1)] == "d4 east"
    assert POSE_NAMES[turned(facing("d4 north"), -1)] == "d4 west"
    assert POSE_NAMES[turned(facing("d4 west"), 1)] == "d4 north"
    assert POSE_NAMES[turned(facing("d4 south"), 0)] == "d4 south"


def distance(one: int, other: int) -> int:
    (column, row), (other_column, other_row) = divmod(one, 8), divmod(other, 8)
    return abs(column - other_column) + abs(row - other_row)


def test_a_rug_covers_two_squares_that_share_a_side() -> None:
    pairs = {
        (one, other)
        for one in SQUARES
        for other in SQUARES
        if one < other and distance(one, other) == 1
    }
    assert {spot.squares for spot in SPOTS} == pairs
    assert len(SPOTS) == 84


def test_notation_names_the_squares_in_ascending_order_and_is_sorted() -> None:
    assert [spot.action for spot in SPOTS] == sorted(spot.action for spot in SPOTS)
    for action, spot in SPOT_BY_ACTION.items():
        one, other = (NAMES[square] for square in spot.squares)
        assert one < other
        assert action == f"lay:{one}{other}"


def test_a_rug_reaches_the_side_of_assam_and_never_lies_under_him() -> None:
    for square in SQUARES:
        expected = [
            spot
            for spot in SPOTS
            if square not in spot.squares
            and any(distance(square, end) == 1 for end in spot.squares)
        ]
        assert list(REACH[square]) == expected


def test_touching_spots_share_a_square() -> None:
    for spot in SPOTS:
        for other in SPOTS:
            assert bool(TOUCHING[spot.bit] & other.bit) == bool(
                set(spot.squares) & set(other.squares)
            )


def squares(text: str) -> int:
    return sum(1 << NUMBERS[name] for name in text.split())


@pytest.mark.parametrize(
    ("start", "field", "found"),
    [
        ("a1", "a1", "a1"),
        ("a1", "a1 a2 b2 c3", "a1 a2 b2"),
        ("c3", "a1 a2 b2 c3", "c3"),
        ("a7", "a7 b1 b2", "a7"),
        ("g7", "g7 g6 f6 e6 e7", "g7 g6 f6 e6 e7"),
    ],
)
def test_a_region_is_connected_by_sides(start: str, field: str, found: str) -> None:
    assert region(NUMBERS[start], squares(field)) == squares(found)


def test_the_whole_board_is_one_region() -> None:
    everything = sum(1 << square for square in SQUARES)
    assert all(region(square, everything).bit_count() == 49 for square in SQUARES)
