"""How a game of Ifrito ends, who ranks where, and what a leaver leaves."""

from __future__ import annotations

import pytest

from games.engine.errors import IllegalAction, NotYourDecision
from games.engine.interface import Decide
from games.titles.ifrito.rules import IFRITO

from .positions import act, cushions, legal, over, position

FAR = {"La1": "", "La2": ""}
STUCK = {"La1": "", "La2": "", "La3": ""}


def leave(state, *seats):
    for seat in seats:
        state, _ = IFRITO.leave(state, seat)
    return state


# Winning


def test_nine_imprisoned_genies_win_at_once_and_no_genie_is_picked():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W S"}, prison=(7, 3), captured=(1, 2))
    state = act(state, "capture:Uc3-Ud3")
    assert over(state).reason == "genies"
    assert over(state).ranking == ((0,), (1,))
    assert over(state).tallies == {"genies": (9, 3), "carpets": (2, 2)}
    assert cushions(state, "Ud3") == {"N", "E"}
    assert IFRITO.legal(state) == ()


def test_eight_genies_do_not_win():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"}, prison=(7, 0))
    assert IFRITO.pending(act(state, "capture:Uc3-Ud3")) == Decide(1, "pick")


def test_three_captured_carpets_win_even_against_more_genies():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"}, prison=(2, 8), captured=(2, 2))
    state = act(state, "capture:Uc3-Ud3")
    assert over(state).reason == "carpets"
    assert over(state).ranking == ((0,), (1,))
    assert over(state).tallies == {"genies": (3, 8), "carpets": (3, 2)}


def test_both_ways_at_once_are_a_win_by_genies():
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"}, prison=(8, 0), captured=(2, 0))
    assert over(act(state, "capture:Uc3-Ud3")).reason == "genies"


def test_the_others_rank_by_genies_then_carpets_then_genies_aboard():
    def ranking(prison, captured, aboard=("N", "N")):
        state = position(
            {"Uc3": "E", "La1": ""},
            {"Ud3": "W", "Le1": ""},
            {"Le5": aboard[0]},
            {"Le4": aboard[1]},
            prison=(8, 0, *prison),
            captured=(0, 0, *captured),
        )
        return over(act(state, "capture:Uc3-Ud3")).ranking

    assert ranking((1, 2), (2, 0)) == ((0,), (3,), (2,), (1,))
    assert ranking((2, 2), (1, 0)) == ((0,), (2,), (3,), (1,))
    assert ranking((2, 2), (1, 1), ("N", "N S")) == ((0,), (3,), (2,), (1,))
    assert ranking((2, 2), (1, 1)) == ((0,), (2, 3), (1,))
    assert ranking((0, 0), (0, 0)) == ((0,), (2, 3), (1,))


# Stalling


def test_the_game_ends_when_all_carpets_lie_on_the_board_without_genies():
    state = position({"Uc3": "N", **FAR}, {"Le1": "", "Le2": "", "Le3": ""}, prison=(1, 4))
    state = act(state, "move:Uc3-Uc4!N")
    assert over(state).reason == "stalled"
    assert over(state).ranking == ((1,), (0,))


def test_a_carpet_in_hand_keeps_the_game_going():
    state = position({"Uc3": "N", **FAR}, {"Le1": "", "Le2": ""})
    state = act(state, "move:Uc3-Uc4!N")
    assert IFRITO.pending(state) == Decide(1, "turn")
    assert over(act(state, "enter:Ue5")).reason == "stalled"


def test_the_game_ends_when_no_player_has_a_legal_action():
    state = position({"Uc4": "N", **FAR}, {"Le1": "E", "Le2": "E", "Le3": "E"})
    state = act(state, "move:Uc4-Uc5")
    assert over(state).reason == "stalled"
    assert over(state).ranking == ((1,), (0,)), "three genies aboard against one"


def test_one_player_who_can_act_keeps_the_game_going_by_passes():
    state = position({"Uc3": "N S", "Lb1": "", "Lb2": ""}, STUCK)
    state = act(state, "move:Uc3-Uc4")
    assert IFRITO.legal(state) == ("pass",)
    state = act(state, "pass")
    assert IFRITO.pending(state) == Decide(0, "turn")


def test_the_third_time_of_a_position_at_the_start_of_a_turn_ends_the_game():
    # The first turn comes to c3: that position, with seat 1 to act, comes back every four turns.
    state = position({"Uc2": "N S", **FAR}, {"Lc3": "N S", "Le1": "", "Le2": ""})
    state = act(state, "move:Uc2-Uc3")
    again = ("move:Lc3-Lc4", "move:Uc3-Uc4", "move:Lc4-Lc3", "move:Uc4-Uc3")
    state = act(state, *again, *again[:3])
    assert not state.ended
    state = act(state, again[3])
    assert over(state).reason == "stalled"
    assert over(state).ranking == ((0, 1),), "equal in all three counts"


def test_the_same_board_with_another_player_to_act_is_another_position():
    state = position({"Ua2": "N S", "La1": ""}, {"Lc3": "N S", "Le1": ""}, {"Le2": "", "Le3": ""})
    # Each pass leaves the board as it was, so that a board stands twice in six turns,
    # but with the same player to act only once.
    state = act(state, "move:Ua2-Ua3")
    cycle = ("move:Lc3-Lc4", "pass", "move:Ua3-Ua2", "move:Lc4-Lc3", "pass", "move:Ua2-Ua3")
    state = act(state, *cycle, *cycle[:5])
    assert not state.ended
    assert over(act(state, cycle[5])).reason == "stalled"


def test_carpets_of_one_player_are_alike_in_a_repetition():
    red = {"Uc3": "E W", "Ud4": "E W", "La1": ""}
    blue = {"Lc3": "N S", "Le1": "", "Le2": ""}
    first, second = position(red, blue), position({"Ud4": "E W", "Uc3": "E W", "La1": ""}, blue)
    assert first.places != second.places
    assert first.key(0) == second.key(0)
    assert first.key(0) != first.key(1)


def test_an_entry_between_makes_it_another_position():
    state = position({"Uc2": "N S", **FAR}, {"Lc3": "N S", "Le1": ""})
    state = act(state, "move:Uc2-Uc3")
    again = ("move:Lc3-Lc4", "move:Uc3-Uc4", "move:Lc4-Lc3", "move:Uc4-Uc3")
    state = act(state, *again)
    assert len(state.seen) == 5
    state = act(state, "enter:Ue5")
    assert len(state.seen) == 1
    assert not act(state, "move:Uc3-Uc4", "move:Lc3-Lc4", "move:Uc4-Uc3", "move:Lc4-Lc3").ended


def test_a_hundred_turns_in_a_row_without_entry_or_capture_end_the_game():
    state = position({"Uc2": "N S", **FAR}, {"Lc3": "N S", "Le1": "", "Le2": ""}, quiet=98)
    state = act(state, "move:Uc2-Uc3")
    assert IFRITO.pending(state) == Decide(1, "turn")
    assert over(act(state, "move:Lc3-Lc4")).reason == "stalled"


def test_a_pass_is_a_quiet_turn():
    state = position(STUCK, {"Uc3": "N"}, quiet=99)
    assert over(act(state, "pass")).reason == "stalled"


@pytest.mark.parametrize("action", ["enter:Ua1", "capture:Uc3-Ud3"])
def test_an_entry_or_a_capture_starts_the_count_afresh(action):
    red = {"Uc3": "N E", "La1": ""} | ({"La2": ""} if action.startswith("capture") else {})
    assert act(position(red, {"Ud3": "W"}, quiet=99), action).quiet == 0


def test_a_stalled_game_is_won_by_genies_then_carpets_then_genies_aboard():
    def ranking(prison, captured):
        lying = {"Uc4": "N", **FAR}, {"Le1": "E", "Le2": "E", "Le3": "E"}
        state = position(*lying, prison=prison, captured=captured)
        return over(act(state, "move:Uc4-Uc5")).ranking

    assert ranking((2, 1), (0, 1)) == ((0,), (1,))
    assert ranking((1, 1), (1, 0)) == ((0,), (1,))
    assert ranking((1, 1), (0, 0)) == ((1,), (0,))


# Leaving


def test_the_last_player_left_wins_whatever_the_counts():
    state = leave(position({}, {}, {}, prison=(0, 8, 3), captured=(0, 2, 1)), 1)
    assert IFRITO.pending(state) == Decide(0, "turn")
    state = leave(state, 2)
    assert over(state).reason == "last_player"
    assert over(state).ranking == ((0,), (2,), (1,)), "the later leaver ranks above the earlier"
    assert over(state).tallies == {"genies": (0, 8, 3), "carpets": (0, 2, 1)}


def test_leavers_rank_last_also_where_others_win_or_stall():
    state = position({"Uc3": "E", "La1": ""}, {"Ud3": "W"}, {}, {}, prison=(8, 0, 8, 7))
    state = leave(state, 3, 2)
    assert over(act(state, "capture:Uc3-Ud3")).ranking == ((0,), (1,), (2,), (3,))
    blue, amber = {"Le1": "", "Le2": ""}, {"Le3": "S", "Le4": "N"}
    state = leave(position({"Uc3": "N", "La1": ""}, blue, amber, prison=(0, 1, 8)), 2)
    assert over(act(state, "move:Uc3-Uc4!N")).ranking == ((1,), (0,), (2,))


def test_the_carpets_leave_with_the_genies_on_them():
    state = position({"Uc3": "E"}, {"Ud3": "W S", "Le1": "N"}, {}, genies="Ua1")
    state, facts = IFRITO.leave(state, 1)
    assert facts == {"out": [1]}
    seen = IFRITO.observe(state, 0)
    assert [carpet["seat"] for carpet in seen["carpets"]] == [0, 0, 2, 2]
    assert seen["cells"]["Ud3"] == {"genie": False, "carpet": None}
    assert sum(cell["genie"] for cell in seen["cells"].values()) == 1
    assert seen["players"][1] == {
        "seat": 1,
        "colours": ["blue"],
        "hand": 0,
        "prison": 0,
        "captured": 0,
        "aboard": 0,
        "in": False,
    }
    assert legal(state, "move:Uc3-Ud3") == {"move:Uc3-Ud3", "move:Uc3-Ud3!E"}


def test_the_turn_of_a_leaver_passes_on_and_skips_leavers_ever_after():
    state = leave(position({}, {}, {}, {}, genies="Ua1 Ua2 Ua3"), 1)
    assert IFRITO.pending(state) == Decide(0, "turn")
    state = leave(state, 0)
    assert IFRITO.pending(state) == Decide(2, "turn")
    state = act(state, "enter:Ua1@N", "enter:Ua2@N")
    assert IFRITO.pending(state) == Decide(2, "turn")


def test_a_leaver_may_stall_the_game():
    lying = {"La1": "", "La2": ""}, {"Le1": "", "Le2": ""}, {"Uc3": "N"}
    for turn in (0, 2):
        state = leave(position(*lying, turn=turn, prison=(0, 1, 5)), 2)
        assert over(state).reason == "stalled"
        assert over(state).ranking == ((1,), (0,), (2,))


def test_leaving_is_no_turn_and_does_not_start_the_count_afresh():
    state = leave(position({}, {}, {}, quiet=99), 0)
    assert IFRITO.pending(state) == Decide(1, "turn")
    assert state.quiet == 99


def captured_by_red():
    red, amber, green = {"Uc3": "SE C W", "La1": "N"}, {"Uc2": "W", "Ub3": "S"}, {"Ue5": "N"}
    return act(position(red, {}, amber, green, genies="Le1"), "capture:Uc3-Ub3")


def test_who_leaves_owing_a_pick_has_the_first_seated_cushion_taken():
    state, facts = IFRITO.leave(captured_by_red(), 2)
    assert cushions(state, "Ub3") == {"C", "SE"}, "W stands before C and SE"
    assert facts == {"out": [2], "taken": {"seat": 0, "carpet": 0, "cushion": "W"}}
    assert IFRITO.pending(state) == Decide(1, "turn")


@pytest.mark.parametrize(
    ("seated", "first"),
    [
        ("SE S", "S"),
        ("SE SW S", "SW"),
        ("SW E", "E"),
        ("E C", "C"),
        ("C W", "W"),
        ("W NE", "NE"),
        ("NE N", "N"),
        ("N NW", "NW"),
    ],
)
def test_the_order_of_cushions_is_that_of_reading(seated, first):
    state = position({"Uc3": seated, "La1": ""}, {"Ud3": ""}, {}, pick=(1, 0))
    _, facts = IFRITO.leave(state, 1)
    assert facts["taken"]["cushion"] == first


def test_if_the_attacker_leaves_the_pick_lapses():
    state, facts = IFRITO.leave(captured_by_red(), 0)
    assert facts == {"out": [0]}
    assert IFRITO.pending(state) == Decide(1, "turn")
    assert state.hand(2) == 1


def test_if_another_leaves_the_pick_is_still_owed():
    state = leave(captured_by_red(), 1)
    assert IFRITO.pending(state) == Decide(2, "pick")
    assert IFRITO.pending(act(state, "pick:C")) == Decide(2, "turn")


@pytest.mark.parametrize("leaver", [0, 1])
def test_with_two_players_leaving_ends_the_game_also_while_a_pick_is_owed(leaver):
    state = position({"Uc3": "N E", **FAR}, {"Ud3": "W"})
    state = leave(act(state, "capture:Uc3-Ud3"), leaver)
    assert over(state).reason == "last_player"
    assert over(state).ranking == ((1 - leaver,), (leaver,))
    assert over(state).tallies == {"genies": (1, 0), "carpets": (1, 0)}


def test_nobody_leaves_twice_nor_after_the_end_nor_from_no_seat():
    state = leave(position({}, {}, {}), 1)
    with pytest.raises(IllegalAction, match="out already"):
        IFRITO.leave(state, 1)
    for seat in (-1, 3):
        with pytest.raises(NotYourDecision, match="no seat"):
            IFRITO.leave(state, seat)
    state = leave(state, 2)
    with pytest.raises(IllegalAction, match="over"):
        IFRITO.leave(state, 0)
    with pytest.raises(NotYourDecision, match="nobody is"):
        IFRITO.decide(state, 0, "pass")
