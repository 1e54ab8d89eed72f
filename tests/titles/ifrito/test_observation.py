"""What is seen of Ifrito, and the reasons it gives for what cannot be done."""

from __future__ import annotations

import json

import pytest

from games.titles.ifrito.rules import IFRITO

from .positions import act, position

FAR = {"La1": "", "La2": ""}


def refused(state, carpet):
    for entry in IFRITO.observe(state, None)["refused"]:
        if entry["carpet"] == carpet:
            return entry["cells"]
    raise AssertionError(f"nothing is said of carpet {carpet}")


def test_everybody_sees_the_same_and_it_is_json():
    state = position({"Uc3": "N E", "La1": ""}, {"Ud3": "W"}, genies="Ua1", prison=(1, 2))
    views = [dict(IFRITO.observe(state, viewer)) for viewer in (None, 0, 1)]
    assert [view.pop("viewer") for view in views] == [None, 0, 1]
    assert views[0] == views[1] == views[2] == json.loads(json.dumps(views[0]))


def test_the_board_the_carpets_and_the_players():
    state = position({"Uc3": "N E", "La1": ""}, {"Ud3": "W"}, genies="Ua1", prison=(1, 2))
    seen = IFRITO.observe(state, 0)
    assert (seen["game"], seen["seats"], seen["options"]) == ("ifrito", 2, {})
    assert seen["pending"] == {"type": "decide", "seat": 0, "kind": "turn"}
    assert seen["cells"]["Ua1"] == {"genie": True, "carpet": None}
    assert seen["cells"]["Ud3"] == {"genie": False, "carpet": 3}
    assert seen["carpets"][0] == {"id": 0, "seat": 0, "cell": "Uc3", "cushions": ["E", "N"]}
    assert seen["carpets"][2] == {"id": 2, "seat": 0, "cell": None, "cushions": []}
    assert seen["players"][0] == {
        "seat": 0,
        "colours": ["red"],
        "hand": 1,
        "prison": 1,
        "captured": 0,
        "aboard": 2,
        "in": True,
    }
    assert seen["legal"] == list(IFRITO.legal(state))


def test_a_pick_names_the_carpet_that_is_picked_from():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"})
    assert IFRITO.observe(state, 1)["pick"] is None
    seen = IFRITO.observe(act(state, "capture:Uc3-Ud3"), 1)
    assert seen["pending"] == {"type": "decide", "seat": 1, "kind": "pick"}
    assert seen["pick"] == 0
    assert seen["turn"] == 0
    assert seen["legal"] == ["pick:E", "pick:N"]
    assert seen["refused"] == []


def test_the_end_is_seen_with_its_ranking_and_tallies():
    state = position({"Uc3": "E", **FAR}, {"Ud3": "W"}, prison=(8, 3))
    seen = IFRITO.observe(act(state, "capture:Uc3-Ud3"), None)
    assert seen["pending"] == {
        "type": "over",
        "reason": "genies",
        "ranking": [[0], [1]],
        "tallies": {"genies": [9, 3], "carpets": [1, 0]},
    }
    assert seen["legal"] == seen["refused"] == []


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("Uc4", "no_genie_for_direction"),
        ("Lc3", "no_genie_for_plane"),
        ("Ld4", "no_genie_for_plane"),
        ("Ud3", "own_carpet"),
        ("Ud2", "fewer_genies"),
        ("Uc2", "empty_carpet"),
    ],
)
def test_why_a_carpet_cannot_go_there(cell, code):
    red = {"Uc3": "E SE S", "Ud3": "", "La1": ""}
    state = position(red, {"Ud2": "N E S W", "Uc2": "", "Le1": "N"})
    assert refused(state, 0)[cell] == code


def test_why_not_with_carpets_in_hand_a_full_carpet_or_an_empty_one():
    state = position({"Uc3": "E SE S", "La1": ""}, {"Ud3": "N"})
    assert refused(state, 0)["Ud3"] == "carpets_in_hand"
    assert set(refused(state, 1).values()) == {"no_genies_aboard"}
    full = position({"Uc3": "NW N NE W C E SW S SE", **FAR}, {}, genies="Lc3")
    assert refused(full, 0) == {"Lc3": "no_empty_cushion"}


def test_why_the_hand_cannot_enter_there():
    cells = refused(position({"Ua1": "N"}, {"Le5": "N"}, genies="Ua2 Ub2"), None)
    assert (cells["Ua1"], cells["Le5"]) == ("occupied", "occupied")
    assert (cells["Ub2"], cells["Lc3"]) == ("not_edge", "not_edge")
    assert cells["Ua3"] == "no_genie"
    assert "Ua2" not in cells


def test_a_direction_and_a_plane_may_both_be_missing_or_only_the_direction():
    state = position({"Uc3": "C", **FAR}, {})
    assert refused(state, 0)["Ld4"] == "no_genie_for_direction"
    assert "Lc3" not in refused(state, 0)


def test_an_empty_hand_is_not_mentioned():
    seen = IFRITO.observe(position({"Uc3": "C", **FAR}, {}), None)
    assert [entry["carpet"] for entry in seen["refused"]] == [0, 1, 2]
