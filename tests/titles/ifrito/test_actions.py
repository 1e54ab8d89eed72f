"""Entering, moving, capturing and picking in Ifrito, sentence by sentence."""

from __future__ import annotations

import pytest

from games.engine.errors import BadNotation, BadOptions, IllegalAction, NotYourDecision
from games.engine.interface import Decide
from games.titles.ifrito.rules import IFRITO

from .positions import EDGES, EVERYWHERE, act, cushions, has_genie, legal, position

NINE = "NW N NE W C E SW S SE"
FAR = {"La1": "", "La2": ""}
"""Two carpets out of the way, so that nothing is in hand."""


def start(seats=2):
    return IFRITO.start(seats, {}, ())


# Setup


@pytest.mark.parametrize(("seats", "carpets"), [(2, 3), (3, 2), (4, 2)])
def test_every_cell_has_a_genie_and_all_carpets_are_in_hand(seats, carpets):
    seen = IFRITO.observe(start(seats), None)
    assert len(seen["cells"]) == 50
    assert all(cell == {"genie": True, "carpet": None} for cell in seen["cells"].values())
    assert [player["hand"] for player in seen["players"]] == [carpets] * seats
    assert IFRITO.pending(start(seats)) == Decide(0, "turn")


def test_one_colour_a_seat():
    assert IFRITO.colours(2) == (("red",), ("blue",))
    assert IFRITO.colours(4) == (("red",), ("blue",), ("amber",), ("green",))


@pytest.mark.parametrize("seats", [0, 1, 5, True, "2"])
def test_only_two_to_four_players(seats):
    with pytest.raises(BadOptions, match="2, 3 or 4"):
        IFRITO.start(seats, {}, ())


def test_no_options_no_piles_no_die():
    assert IFRITO.options({}) == {}
    assert IFRITO.decks(4, {}) == IFRITO.revealed(start()) == ()
    with pytest.raises(BadOptions, match="cover_own"):
        IFRITO.options({"cover_own": True})
    with pytest.raises(BadOptions, match="piles"):
        IFRITO.start(2, {}, (("red",),))
    with pytest.raises(IllegalAction, match="no die"):
        IFRITO.land(start(), 1)


# Entering


def test_the_first_turn_enters_on_any_edge_cell_with_the_genie_on_any_cushion():
    expected = {f"enter:{cell}@{cushion}" for cell in EDGES.split() for cushion in NINE.split()}
    assert legal(start()) == expected
    assert len(expected) == 32 * 9


def test_entering_seats_the_genie_of_the_cell_and_passes_the_turn():
    state, facts = IFRITO.decide(start(3), 0, "enter:Ua1@SE")
    assert cushions(state, "Ua1") == {"SE"}
    assert not has_genie(state, "Ua1")
    assert state.hand(0) == 1
    assert IFRITO.pending(state) == Decide(1, "turn")
    assert facts == {"entered": {"carpet": 0, "cell": "Ua1"}, "boarded": "SE"}


def test_entering_needs_an_edge_cell_without_a_carpet_and_with_a_genie():
    state = position({"Ua1": "N"}, {}, genies="Ua2 Lb2")
    assert {action.split("@")[0] for action in legal(state, "enter")} == {"enter:Ua2"}
    for cell, why in [("Lb2", "edge cells only"), ("Ua1", "a carpet lies"), ("Ue5", "no genie")]:
        with pytest.raises(IllegalAction, match=why):
            act(state, f"enter:{cell}@N")
        with pytest.raises(IllegalAction, match=why):
            act(state, f"enter:{cell}")


def test_the_genie_of_the_cell_must_sit_down():
    with pytest.raises(IllegalAction, match="must sit down"):
        act(start(), "enter:Ua1")


def test_entering_without_a_genie_once_no_free_edge_cell_has_one():
    state = position({"Ua1": "N"}, {"Le5": ""}, genies="Ub2 Lc3")
    free = set(EDGES.split()) - {"Ua1", "Le5"}
    assert legal(state, "enter") == {f"enter:{cell}" for cell in free}
    with pytest.raises(IllegalAction, match="no genie is there"):
        act(state, "enter:Ua2@N")
    state = act(state, "enter:Ua2")
    assert cushions(state, "Ua2") == set()


def test_no_entering_with_an_empty_hand():
    state = position({"Uc3": "N", **FAR}, {}, genies=EDGES)
    assert not legal(state, "enter")
    with pytest.raises(IllegalAction, match="in hand"):
        act(state, "enter:Ua1@N")


# Moving


DIRECTIONS = {
    "N": "c4",
    "NE": "d4",
    "E": "d3",
    "SE": "d2",
    "S": "c2",
    "SW": "b2",
    "W": "b3",
    "NW": "b4",
}


@pytest.mark.parametrize("plane", ["U", "L"])
@pytest.mark.parametrize(("cushion", "target"), DIRECTIONS.items())
def test_an_outer_genie_points_to_one_neighbour_on_the_same_plane(plane, cushion, target):
    state = position({f"{plane}c3": cushion, **FAR}, {})
    flight = f"move:{plane}c3-{plane}{target}"
    assert legal(state) == {flight, f"{flight}!{cushion}"}


def test_a_genie_in_the_centre_changes_the_plane_straight():
    assert legal(position({"Uc3": "C", **FAR}, {})) == {"move:Uc3-Lc3", "move:Uc3-Lc3!C"}
    assert "move:Lc3-Uc3" in legal(position({"Lc3": "C", **FAR}, {}))


def test_the_plane_changes_diagonally_with_a_genie_for_the_direction():
    state = position({"Uc3": "C NE", **FAR}, {})
    ends = {action.split("-")[1][:3] for action in legal(state)}
    assert ends == {"Lc3", "Ld4", "Ud4"}


def test_a_full_carpet_reaches_seventeen_cells():
    state = position({"Uc3": NINE, **FAR}, {})
    assert len({action.split("-")[1][:3] for action in legal(state)}) == 17


def test_nothing_flies_over_the_edge():
    state = position({"Ua1": NINE, **FAR}, {})
    ends = {action.split("-")[1][:3] for action in legal(state)}
    assert ends == {"Ua2", "Ub1", "Ub2", "Lb1", "Lb2"}, "own carpets lie on La1 and La2"


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("move:Uc3-Uc4", "cushion of that direction"),
        ("move:Uc3-Lc3", "genie on C"),
        ("move:Uc3-Ld3", "genie on C"),
        ("move:Uc3-Ue3", "not a neighbour"),
        ("move:Uc3-Uc3", "not a neighbour"),
        ("move:La1-La2", "without genies cannot move"),
        ("move:Ub1-Ub2", "no own carpet"),
        ("move:Le5-Le4", "no own carpet"),
    ],
)
def test_a_move_needs_an_own_carpet_and_a_genie_for_the_way(action, why):
    state = position({"Uc3": "E", **FAR}, {"Le5": "S"})
    with pytest.raises(IllegalAction, match=why):
        act(state, action)


def test_the_genie_of_the_target_must_board_on_an_empty_cushion():
    state = position({"Uc3": "N E", **FAR}, {}, genies="Uc4")
    empty = set(NINE.split()) - {"N", "E"}
    assert legal(state, "move:Uc3-Uc4") == {f"move:Uc3-Uc4@{cushion}" for cushion in empty}
    after, facts = IFRITO.decide(state, 0, "move:Uc3-Uc4@SW")
    assert cushions(after, "Uc4") == {"N", "E", "SW"}
    assert not has_genie(after, "Uc4")
    assert not has_genie(after, "Uc3")
    assert facts == {"moved": {"carpet": 0, "from": "Uc3", "to": "Uc4"}, "boarded": "SW"}
    with pytest.raises(IllegalAction, match="must board"):
        act(state, "move:Uc3-Uc4")
    with pytest.raises(IllegalAction, match="E is taken"):
        act(state, "move:Uc3-Uc4@E")


def test_never_board_and_leave_in_one_move():
    state = position({"Uc3": "N E", **FAR}, {}, genies="Uc4")
    with pytest.raises(IllegalAction, match="none may be left"):
        act(state, "move:Uc3-Uc4!E")
    with pytest.raises(BadNotation):
        act(state, "move:Uc3-Uc4@S!E")


def test_a_full_carpet_cannot_go_where_a_genie_is():
    state = position({"Uc3": NINE, **FAR}, {}, genies="Uc4")
    assert not legal(state, "move:Uc3-Uc4")
    with pytest.raises(IllegalAction, match="no empty cushion"):
        act(state, "move:Uc3-Uc4@N")


def test_any_genie_may_be_left_on_the_cell_of_departure():
    state = position({"Uc3": "N E", **FAR}, {})
    flight = "move:Uc3-Uc4"
    assert legal(state, flight) == {flight, f"{flight}!N", f"{flight}!E"}
    after, facts = IFRITO.decide(state, 0, f"{flight}!N")
    assert cushions(after, "Uc4") == {"E"}
    assert has_genie(after, "Uc3")
    assert facts == {"moved": {"carpet": 0, "from": "Uc3", "to": "Uc4"}, "left": "N"}
    with pytest.raises(IllegalAction, match="no genie sits on cushion S"):
        act(state, f"{flight}!S")
    with pytest.raises(IllegalAction, match="no genie is there to board"):
        act(state, f"{flight}@S")


def test_a_move_may_leave_nothing_behind():
    state = act(position({"Uc3": "N", **FAR}, {}), "move:Uc3-Uc4")
    assert cushions(state, "Uc4") == {"N"}
    assert not has_genie(state, "Uc3")


def test_no_move_onto_a_carpet():
    state = position({"Uc3": "N E", "Uc4": "S", "La1": ""}, {"Ud3": "W"})
    assert legal(state, "move:Uc3") == set()
    with pytest.raises(IllegalAction, match="own carpet"):
        act(state, "move:Uc3-Uc4")
    with pytest.raises(IllegalAction, match="only be captured"):
        act(state, "move:Uc3-Ud3")


# Capturing


def test_a_capture_imprisons_the_genies_and_returns_the_carpet_to_its_hand():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W S"})
    state, facts = IFRITO.decide(state, 0, "capture:Uc3-Ud3")
    assert cushions(state, "Ud3") == {"N", "E"}
    assert not has_genie(state, "Uc3")
    assert state.prison == (2, 0)
    assert state.captured == (1, 0)
    assert state.hand(1) == 3
    assert facts["captured"] == {"seat": 1, "carpet": 3, "genies": 2}
    assert facts["moved"] == {"carpet": 0, "from": "Uc3", "to": "Ud3"}


def test_a_capture_needs_all_own_carpets_on_the_board():
    state = position({"Uc3": "N E", "La1": ""}, {"Ud3": "W"})
    assert not legal(state, "capture")
    with pytest.raises(IllegalAction, match="all own carpets"):
        act(state, "capture:Uc3-Ud3")


@pytest.mark.parametrize(("attacked", "allowed"), [("N", True), ("N S", True), ("N S C", False)])
def test_a_capture_needs_at_least_as_many_genies(attacked, allowed):
    state = position({"Uc3": "N E", **FAR}, {"Ud3": attacked})
    assert legal(state, "capture") == ({"capture:Uc3-Ud3"} if allowed else set())
    if not allowed:
        with pytest.raises(IllegalAction, match="more genies"):
            act(state, "capture:Uc3-Ud3")


def test_a_carpet_without_genies_is_an_obstacle():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": ""})
    assert not {action for action in legal(state) if "Ud3" in action}
    with pytest.raises(IllegalAction, match="cannot be captured"):
        act(state, "capture:Uc3-Ud3")


def test_a_capture_needs_the_direction_and_a_carpet_of_another():
    state = position({"Uc3": "N", "Uc4": "S", "La1": ""}, {"Ud3": "W"})
    for action, why in [
        ("capture:Uc3-Ud3", "cushion of that direction"),
        ("capture:Uc3-Uc4", "own carpet"),
        ("capture:Uc4-Ue4", "not a neighbour"),
    ]:
        with pytest.raises(IllegalAction, match=why):
            act(state, action)
    with pytest.raises(IllegalAction, match="no carpet lies there"):
        act(position({"Uc3": "N", **FAR}, {}), "capture:Uc3-Uc4")


def test_a_capture_goes_across_the_planes_by_the_same_directions():
    state = position({"Uc3": "C E", **FAR}, {"Lc3": "N", "Ld3": "W", "Ld4": "S"})
    assert legal(state, "capture") == {"capture:Uc3-Lc3", "capture:Uc3-Ld3"}


def test_no_genie_is_left_behind_on_a_capture():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"})
    with pytest.raises(BadNotation):
        act(state, "capture:Uc3-Ud3!N")


def test_a_captured_player_cannot_attack_until_the_carpet_is_back():
    blue = {"Ud3": "W", "Ue1": "N", "Le1": "N"}
    state = position({"Uc3": "N E", "Ue2": "N", "La2": ""}, blue, genies="Ua5 Uc1")
    state = act(state, "capture:Uc3-Ud3", "pick:N")
    assert not legal(state, "capture")
    state = act(state, "enter:Ua5@S", "move:Ud3-Ue3")
    assert legal(state, "capture") == {"capture:Ue1-Ue2"}


# Picking


def test_the_captured_player_picks_a_genie_of_the_attacking_carpet():
    state = position({"Uc3": "N E", "La1": ""}, {}, {"Ud3": "W", "Le5": "N"}, {})
    state = act(state, "capture:Uc3-Ud3")
    assert IFRITO.pending(state) == Decide(2, "pick")
    assert IFRITO.legal(state) == ("pick:E", "pick:N")
    state, facts = IFRITO.decide(state, 2, "pick:E")
    assert cushions(state, "Ud3") == {"N"}
    assert facts == {"taken": {"seat": 0, "carpet": 0, "cushion": "E"}}


def test_play_goes_on_with_the_player_after_the_attacker():
    state = position({"Uc3": "N E", "La1": ""}, {}, {"Ud3": "W"}, {})
    assert IFRITO.pending(act(state, "capture:Uc3-Ud3", "pick:N")) == Decide(1, "turn")


def test_the_picked_genie_marks_a_carpet_and_does_not_count_towards_the_nine():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"}, prison=(7, 0))
    state = act(state, "capture:Uc3-Ud3", "pick:N")
    assert state.prison == (8, 0)
    assert state.captured == (1, 0)
    assert not state.ended


def test_the_pick_may_leave_the_attacking_carpet_empty():
    state = position({"Uc3": "E", **FAR}, {"Ud3": "W"})
    assert cushions(act(state, "capture:Uc3-Ud3", "pick:E"), "Ud3") == set()


def test_only_the_captured_player_picks_and_only_a_seated_genie():
    state = position({"Uc3": "N E", "La1": ""}, {}, {"Ud3": "W"})
    before = state
    state = act(state, "capture:Uc3-Ud3")
    for seat in (0, 1):
        with pytest.raises(NotYourDecision, match="seat 2 is"):
            IFRITO.decide(state, seat, "pick:N")
    with pytest.raises(IllegalAction, match="cushion S"):
        act(state, "pick:S")
    for action in ("pass", "enter:Ua1", "move:Ud3-Ue3"):
        with pytest.raises(IllegalAction, match="expected a pick"):
            act(state, action)
    with pytest.raises(IllegalAction, match="expected a turn"):
        act(before, "pick:N")


# Passing and notation


def test_a_player_with_no_legal_action_passes():
    stuck = {"La1": "", "La2": "", "La3": "W"}
    state = position(stuck, {"Uc3": "N"})
    assert IFRITO.legal(state) == ("pass",)
    state, facts = IFRITO.decide(state, 0, "pass")
    assert facts == {}
    assert IFRITO.pending(state) == Decide(1, "turn")


def test_passing_is_not_allowed_otherwise():
    for state in (start(), position({"Uc3": "N", **FAR}, {})):
        assert "pass" not in legal(state)
        with pytest.raises(IllegalAction, match="passing"):
            act(state, "pass")


@pytest.mark.parametrize(
    "action",
    [
        "",
        "pass:",
        "pass ",
        "Pass",
        "enter:Ua1@N\n",
        "enter:Ua6@N",
        "enter:Xa1@N",
        "enter:ua1@N",
        "enter:Ua1@",
        "enter:Ua1@n",
        "enter:Ua1@NN",
        "enter:Ua1!N",
        "enter: Ua1@N",
        "enter:Ua1@ЅE",
        "move:Ua1",
        "move:Ua1-Ub2@",
        "move:Ua1–Ub2",
        "capture:Ua1-Ub2@N",
        "pick:",
        "pick:N,E",
        "resign",
        "timeout",
        "x" * 10_000,
    ],
)
def test_what_is_no_notation_is_refused_as_such(action):
    with pytest.raises(BadNotation, match="not an action of Ifrito") as refusal:
        IFRITO.decide(start(), 0, action)
    assert len(str(refusal.value)) < 300


def test_only_the_seat_to_act_acts():
    with pytest.raises(NotYourDecision, match="seat 0 is"):
        IFRITO.decide(start(), 1, "enter:Ua1@N")


def test_seats_act_in_turn():
    state = start(3)
    for cell, seat in zip(("Ua1", "Ua2", "Ua3", "Ua4"), (0, 1, 2, 0), strict=True):
        assert IFRITO.pending(state) == Decide(seat, "turn")
        state = act(state, f"enter:{cell}@E")


def test_legal_actions_are_sorted_by_notation():
    state = position({"Uc3": NINE, "Lb2": "C N"}, {"Ud3": "W"}, genies=EVERYWHERE)
    assert list(IFRITO.legal(state)) == sorted(set(IFRITO.legal(state)))
