"""Leaving, the end of a game of Marrakech, and who has won."""

from __future__ import annotations

import pytest

from games.engine.errors import RulesError
from games.engine.interface import Decide
from games.titles.marrakech.rules import MARRAKECH
from tests.titles.marrakech.positions import act, over, position

AFTER = {"turning": "after"}


def left(state, *seats: int):
    for seat in seats:
        state, facts = MARRAKECH.leave(state, seat)
        assert facts == {"out": [seat]}
    return state


@pytest.mark.parametrize("phase", ["turn", "lay"])
def test_if_the_mover_leaves_the_turn_passes_on(phase: str) -> None:
    state = left(position(phase=phase), 0)
    assert MARRAKECH.pending(state) == Decide(1, "turn")
    assert state.dirhams == (0, 30, 30, 30)
    assert state.rugs == (0, 12, 12, 12)


@pytest.mark.parametrize("phase", ["roll", "lay", "face"])
def test_so_it_does_with_turning_after_and_assam_stays_as_he_is(phase: str) -> None:
    state = left(position("c3 west", options=AFTER, phase=phase), 0)
    assert MARRAKECH.pending(state) == Decide(1, "roll")
    assert MARRAKECH.observe(state, None)["assam"] == {"square": "c3", "facing": "west"}


def test_if_the_mover_leaves_while_the_die_is_in_the_air_it_does_not_fall() -> None:
    state, _ = MARRAKECH.decide(position(), 0, "turn:S")
    state = left(state, 0)
    assert MARRAKECH.pending(state) == Decide(1, "turn")


@pytest.mark.parametrize("phase", ["turn", "lay"])
def test_if_somebody_else_leaves_the_decision_stays(phase: str) -> None:
    state = position(phase=phase)
    legal = MARRAKECH.legal(state)
    state = left(state, 2)
    assert MARRAKECH.pending(state) == Decide(0, phase)
    assert MARRAKECH.legal(state) == legal


def test_nobody_leaves_twice_or_from_no_seat_or_after_the_end() -> None:
    state = left(position(), 2)
    for seat in (2, 4, -1):
        with pytest.raises(RulesError):
            MARRAKECH.leave(state, seat)
    state = left(state, 0, 3)
    with pytest.raises(RulesError, match="over"):
        MARRAKECH.leave(state, 1)


def test_the_last_player_wins_and_later_leavers_rank_higher() -> None:
    end = over(left(position(rugs=["green a1a2", "blue b1b2"]), 0, 3, 1))
    assert end.reason == "last_player"
    assert end.ranking == ((2,), (1,), (3,), (0,))
    assert end.tallies == {"points": (0, 0, 30, 0), "dirhams": (0, 0, 30, 0)}


def test_an_insolvent_player_can_leave_one_alone() -> None:
    start = position(rugs=["blue d3e3"], seats=2, dirhams=(1, 30))
    state, facts = act(start, "turn:S", die=1)
    assert facts["out"] == [0]
    end = over(state)
    assert end.reason == "last_player"
    assert end.ranking == ((1,), (0,))
    assert end.tallies == {"points": (0, 33), "dirhams": (0, 31)}


def test_the_game_ends_with_the_last_rug() -> None:
    state = position(
        rugs=["red a1a2", "blue b1b2"], rugs_in_hand=(0, 0, 0, 1), mover=3, phase="lay"
    )
    assert MARRAKECH.pending(state) == Decide(3, "lay")
    end = over(act(state, "lay:c3c4")[0])
    assert end.reason == "rugs"
    assert end.tallies == {"points": (32, 32, 30, 32), "dirhams": (30, 30, 30, 30)}
    assert end.ranking == ((0, 1, 3), (2,))


def test_the_last_rug_of_those_still_in_ends_it() -> None:
    state = position(rugs_in_hand=(0, 0, 1, 1), mover=2, phase="lay")
    state = left(state, 3)
    assert over(act(state, "lay:c3c4")[0]).reason == "rugs"


def test_it_ends_at_once_if_only_the_leaver_still_had_rugs() -> None:
    state = position(rugs_in_hand=(0, 0, 0, 1), mover=3)
    end = over(left(state, 3))
    assert end.reason == "rugs"
    assert end.ranking == ((0, 1, 2), (3,))


def test_even_while_another_player_still_has_to_turn_assam() -> None:
    state = position(rugs_in_hand=(0, 0, 0, 1), mover=2, phase="face", options=AFTER)
    assert over(left(state, 3)).reason == "rugs"


def test_an_insolvent_last_mover_ends_it_too() -> None:
    state = position(
        rugs=["blue d3e3"], rugs_in_hand=(0, 0, 0, 1), mover=3, dirhams=(30, 30, 30, 1)
    )
    end = over(act(state, "turn:S", die=1)[0])
    assert end.reason == "rugs"
    assert end.ranking == ((1,), (0, 2), (3,))


def test_among_equal_points_more_dirhams_win() -> None:
    state = position(
        rugs=["red a1a2", "blue b1b2"],
        rugs_in_hand=(0, 0, 0, 1),
        mover=3,
        phase="lay",
        dirhams=(29, 29, 31, 10),
    )
    end = over(act(state, "lay:c3c4")[0])
    assert end.tallies["points"] == (31, 31, 31, 12)
    assert end.ranking == ((2,), (0, 1), (3,))


def test_with_two_players_both_colours_count() -> None:
    state = position(
        rugs=["red a1a2", "amber b1b2", "green e1e2"],
        seats=2,
        rugs_in_hand=(0, 1),
        mover=1,
        phase="lay",
    )
    end = over(act(state, "lay:c3c4")[0])
    assert end.tallies["points"] == (34, 34)
    assert end.ranking == ((0, 1),)


def test_a_complete_round_comes_back_to_seat_nought() -> None:
    state = position()
    for seat in (0, 1, 2, 3, 0):
        assert MARRAKECH.pending(state) == Decide(seat, "turn")
        state, _ = act(state, "turn:S", die=1)
        state, _ = act(state, MARRAKECH.legal(state)[0])
