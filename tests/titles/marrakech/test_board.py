"""What the board of Marrakech shows of a position, and what can be tapped on it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.titles.marrakech.board import draw

from .played import of_kind, positions


def observation(square="d4", facing="south", legal=(), **more):
    return {
        "assam": {"square": square, "facing": facing},
        "rugs": [],
        "players": [{"next": "red"}],
        "pending": {"type": "decide", "seat": 0, "kind": "turn"},
        "legal": list(legal),
        **more,
    }


def rug(number, colour, *squares, neutral=False, visible=None):
    return {
        "id": number,
        "colour": colour,
        "squares": list(squares),
        "visible": list(squares) if visible is None else visible,
        "neutral": neutral,
    }


def lying(transform):
    """The names of the squares under a rug drawn from 0 0 to 80 40 and then moved."""
    x, y = (int(n) for n in re.findall(r"\d+", transform)[:2])
    upright = transform.endswith("rotate(90)")
    corners = [(x - 40, y), (x - 40, y + 40)] if upright else [(x, y), (x + 40, y)]
    return sorted(f"{'abcdefg'[a // 40]}{7 - b // 40}" for a, b in corners)


# Rugs


def test_rugs_lie_on_their_squares_in_laying_order():
    for position in positions():
        drawn = [(r.colour, lying(r.transform)) for r in draw(position.seen).rugs]
        assert drawn == [(r["colour"], sorted(r["squares"])) for r in position.seen["rugs"]]


def test_a_rug_that_is_all_covered_is_left_out_and_a_neutral_one_is_marked():
    rugs = [
        rug(1, "red", "a1", "b1", visible=[]),
        rug(2, "blue", "a1", "a2", neutral=True),
    ]
    (only,) = draw(observation(rugs=rugs)).rugs
    assert (only.colour, only.neutral) == ("blue", True)


def test_only_the_rug_just_laid_unrolls_and_only_while_moving():
    rugs = [rug(1, "red", "a1", "b1"), rug(2, "blue", "a2", "a3")]
    laid, seen = {"action": "lay:a2a3", "seat": 1}, observation(rugs=rugs)
    assert [r.fresh for r in draw(seen, last=[laid], moving=1).rugs] == [False, True]
    assert not any(r.fresh for r in draw(seen, last=[laid]).rugs)
    assert not any(r.fresh for r in draw(seen, last=[{"action": "turn:L"}], moving=1).rugs)


# Choosing a place for a rug


def taps(seen, square, times):
    """What is chosen after each tap on one square."""
    chosen, found = "", []
    for _ in range(times):
        board = draw(seen, interactive=True, chosen=chosen)
        chosen = next(spot.action for spot in board.spots if spot.square == square)
        found.append(chosen)
    return found


def test_tapping_a_square_goes_through_all_its_places_and_begins_again():
    for position in of_kind("lay")[::7]:
        legal = position.seen["legal"]
        reachable = set()
        for spot in draw(position.seen, interactive=True).spots:
            places = {action for action in legal if spot.square in action}
            tapped = taps(position.seen, spot.square, len(places) + 1)
            assert set(tapped[:-1]) == places
            assert tapped[-1] == tapped[0]
            reachable |= places
        assert reachable == set(legal)


def test_spots_are_the_squares_of_legal_places_and_stand_where_they_are():
    for position in of_kind("lay"):
        spots = draw(position.seen, interactive=True).spots
        squares = {a for action in position.seen["legal"] for a in (action[4:6], action[6:8])}
        assert [spot.square for spot in spots] == sorted(squares)
        for spot in spots:
            assert spot.area == f"col-{spot.square[0]} row-{spot.square[1]}"
            assert f"{'abcdefg'[spot.x // 40]}{7 - spot.y // 40}" == spot.square
            assert spot.square in spot.squares
            assert spot.action == f"lay:{''.join(spot.squares)}"


def test_the_first_tap_beside_assam_lays_straight_away_from_him():
    legal = ["lay:c4d4", "lay:d4d5", "lay:d3d4", "lay:d4e4"]
    seen = observation(square="d6", legal=["lay:c5d5", "lay:d4d5", "lay:d5e5"])
    assert taps(seen, "d5", 1) == ["lay:d4d5"]
    assert taps(observation(square="f4", legal=["lay:e4e5", "lay:d4e4"]), "e4", 1) == ["lay:d4e4"]
    assert taps(observation(square="a4", legal=legal), "c4", 2) == ["lay:c4d4", "lay:c4d4"]


def test_what_was_chosen_lies_there_in_the_colour_of_the_next_rug():
    seen = observation(legal=["lay:d5e5"])
    board = draw(seen, interactive=True, chosen="lay:d5e5")
    (place,) = board.places
    assert place.chosen
    assert (place.colour, lying(place.transform)) == ("red", ["d5", "e5"])
    assert {spot.square: spot.chosen for spot in board.spots} == {"d5": True, "e5": True}


@pytest.mark.parametrize("chosen", ["lay:a1a2", "nonsense", ""])
def test_what_is_not_legal_is_not_shown_as_chosen(chosen):
    board = draw(observation(legal=["lay:d5e5"]), interactive=True, chosen=chosen)
    assert not any(place.chosen for place in board.places)
    assert not any(spot.chosen for spot in board.spots)


# Choosing a way


def test_every_fall_of_the_die_is_shown_with_what_it_costs():
    for position in [*of_kind("turn"), *of_kind("roll")]:
        board = draw(position.seen, interactive=True)
        shown = {
            (way, int(face), landing.square, landing.due)
            for landing in board.landings
            for way in landing.ways.split()
            for face in landing.faces.split("·")
        }
        for action, odds in position.seen["forecast"].items():
            way = "S" if action == "roll" else action[-1]
            for face in odds["faces"]:
                assert (way, face["face"], face["square"], face["due"]) in shown
        places = [(landing.x, landing.y) for landing in board.landings]
        assert len(places) == len(set(places))


def forecast(*squares):
    faces = [
        {"face": n, "path": ["x"] * n, "square": square, "due": 0}
        for n, square in enumerate(squares, start=1)
    ]
    return {"mean": 0, "faces": faces}


def test_a_square_reached_in_two_ways_has_one_marker():
    seen = observation(
        "g7",
        "north",
        ["turn:L", "turn:S"],
        forecast={"turn:L": forecast("f7"), "turn:S": forecast("g7", "f7")},
    )
    f7, g7 = draw(seen, interactive=True).landings
    assert (f7.square, f7.ways, f7.faces) == ("f7", "L S", "1·2")
    # Assam stands on g7: its marker is in the eye of the loop, not on his head.
    assert (g7.square, g7.x, g7.y) == ("g7", "284", "-4")


def test_turns_are_tapped_beside_assam_and_beside_the_board_where_he_looks_out():
    legal = ["turn:L", "turn:R", "turn:S"]
    board = draw(observation("d4", "south", legal), interactive=True)
    assert {turn.action: turn.area for turn in board.turns} == {
        "turn:L": "col-e row-4",
        "turn:S": "col-d row-3",
        "turn:R": "col-c row-4",
    }
    board = draw(observation("g7", "north", legal), interactive=True)
    assert {turn.action: turn.area for turn in board.turns} == {
        "turn:L": "col-f row-7",
        "turn:S": "col-g row-north",
        "turn:R": "col-east row-7",
    }
    board = draw(observation("a1", "south", legal), interactive=True)
    assert {turn.area for turn in board.turns} == {
        "col-b row-1",
        "col-a row-south",
        "col-west row-1",
    }


def test_turning_after_the_rug_has_arrows_but_no_forecast():
    faces = of_kind("face")
    assert faces
    board = draw(faces[0].seen, interactive=True)
    assert {way.key for way in board.ways} == {"L", "R"}
    assert not any(way.line for way in board.ways)
    assert not board.landings


def test_a_chosen_way_is_shown_alone():
    seen = of_kind("turn")[0].seen
    assert draw(seen, interactive=True, chosen="turn:R").shown_way == "R"
    assert draw(seen, interactive=True).shown_way == ""


def test_who_is_not_to_act_sees_nothing_to_choose():
    for position in positions():
        board = draw(position.seen)
        assert (board.spots, board.turns, board.ways, board.landings) == ((), (), (), ())


# What has happened


def test_the_trail_leads_from_where_assam_stood_to_where_he_stands():
    walked = [position for position in positions() if position.last.get("path")]
    assert walked
    for position in walked:
        board = draw(position.seen, last=[position.last], moving=1)
        assert board.trail == board.assam.walked
        start, end = board.trail.split("L")[0], board.trail.split("L")[-1]
        assert start == f"M{_middle(position.before['assam']['square'])}"
        assert end == _middle(position.seen["assam"]["square"])
        assert board.die == position.last["die"]


def test_the_walk_of_a_turn_stays_in_sight_when_its_rug_unrolls():
    walks = [p for p in positions() if p.last.get("path") and p.kind == "lay"]
    walk, laid = walks[0], {"action": "lay:a2a3", "seat": 0}
    seen = {**walk.seen, "rugs": [rug(1, "red", "a2", "a3")]}
    board = draw(seen, last=[walk.last, laid], moving=1)
    assert (board.trail, board.die) == (draw(walk.seen, last=[walk.last]).trail, walk.last["die"])
    assert board.assam.walked == ""
    assert [r.fresh for r in board.rugs] == [True]
    whole_turn = draw(seen, last=[walk.last, laid], moving=2)
    assert whole_turn.assam.walked == board.trail
    assert [r.fresh for r in whole_turn.rugs] == [True]


def _middle(name):
    return f"{40 * 'abcdefg'.index(name[0]) + 20} {300 - 40 * int(name[1])}"


def test_nothing_moves_unless_asked_and_a_small_board_shows_the_position_only():
    position = next(position for position in positions() if position.last.get("paid"))
    still = draw(position.seen, last=[position.last])
    assert still.assam.walked == ""
    assert still.paid is None
    moving = draw(position.seen, last=[position.last], moving=1)
    assert moving.paid is not None
    assert moving.paid.text == f"−{position.last['paid']['amount']}"
    small = draw(position.seen, interactive=True, last=[position.last], compact=True)
    bare = draw(position.seen)
    assert small == replace(bare, labels=(), compact=True)


def test_coordinates_stand_outside_the_squares():
    labels = draw(observation()).labels
    assert [label.text for label in labels] == [*"abcdefg", *"7654321"]
    for label in labels:
        assert float(label.x) < 0 or float(label.y) > 280
