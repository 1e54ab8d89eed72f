"""A turn of Marrakech: turning, rolling, paying, laying, and what may not be done."""

from __future__ import annotations

import pytest

from games.engine.errors import BadNotation, BadOptions, IllegalAction, NotYourDecision
from games.engine.interface import Chance, Decide
from games.titles.marrakech.rules import MARRAKECH
from tests.titles.marrakech.positions import act, over, position, turns

AFTER = {"turning": "after"}
PLAY_ON = {"insolvency": "play_on"}


def assam(state) -> str:
    seen = MARRAKECH.observe(state, None)["assam"]
    return f"{seen['square']} {seen['facing']}"


def dirhams(state) -> tuple[int, ...]:
    return state.dirhams


# Setup


@pytest.mark.parametrize(("seats", "rugs"), [(2, 24), (3, 15), (4, 12)])
def test_the_start(seats: int, rugs: int) -> None:
    state = position(seats=seats)
    assert assam(state) == "d4 south"
    assert state.dirhams == (30,) * seats
    assert state.rugs == (rugs,) * seats
    assert MARRAKECH.pending(state) == Decide(0, "turn")


@pytest.mark.parametrize("seats", [0, 1, 5, True, "3", None, 3.0])
def test_other_numbers_of_seats_are_refused(seats) -> None:
    for ask in (
        lambda: MARRAKECH.start(seats, {}, ()),
        lambda: MARRAKECH.decks(seats, {}),
        lambda: MARRAKECH.colours(seats),
    ):
        with pytest.raises(BadOptions, match="2, 3 or 4 players"):
            ask()


def test_two_players_mix_two_colours_in_a_pile() -> None:
    assert MARRAKECH.decks(2, {}) == (
        ("red",) * 12 + ("amber",) * 12,
        ("blue",) * 12 + ("green",) * 12,
    )
    assert MARRAKECH.decks(3, {}) == MARRAKECH.decks(4, {}) == ()


@pytest.mark.parametrize(
    "piles",
    [
        (),
        (("red",),),
        (("red",), ()),
        (("red",), ("red",)),
        (("red",) * 13, ("blue",)),
        (("red",), ("blue",), ("green",)),
    ],
)
def test_piles_that_cannot_be_are_refused(piles) -> None:
    with pytest.raises(BadOptions):
        MARRAKECH.start(2, {}, piles)


def test_options_default_to_the_international_edition() -> None:
    assert MARRAKECH.options({}) == MARRAKECH.presets["international"]
    assert MARRAKECH.options({}) == {
        "insolvency": "out",
        "turning": "before",
        "cover_own": False,
    }


@pytest.mark.parametrize(
    ("preset", "insolvency", "turning"),
    [
        ("international", "out", "before"),
        ("international-after", "out", "after"),
        ("polish", "play_on", "before"),
        ("polish-after", "play_on", "after"),
        ("polish-advanced", "out", "before"),
        ("polish-advanced-after", "out", "after"),
        ("russian", "play_on", "before"),
        ("romanian", "play_on", "before"),
    ],
)
def test_the_editions(preset: str, insolvency: str, turning: str) -> None:
    expected = {"insolvency": insolvency, "turning": turning, "cover_own": False}
    assert MARRAKECH.presets[preset] == expected
    assert MARRAKECH.options(MARRAKECH.presets[preset]) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"insolvency": "maybe"},
        {"turning": "During"},
        {"turning": None},
        {"cover_own": 1},
        {"cover_own": 0},
        {"cover_own": "true"},
        {"insolvency": ["out"]},
        {"colour": "red"},
    ],
)
def test_bad_options_are_refused_with_what_was_expected(given) -> None:
    with pytest.raises(BadOptions, match="expected"):
        MARRAKECH.options(given)


# Turning and rolling


@pytest.mark.parametrize(
    ("turn", "end"), [("turn:L", "e4 east"), ("turn:S", "d3 south"), ("turn:R", "c4 west")]
)
def test_he_turns_and_walks(turn: str, end: str) -> None:
    state, facts = act(position(), turn, die=1)
    assert assam(state) == end
    assert facts["assam"] == end
    assert facts["die"] == 1
    assert MARRAKECH.pending(state) == Decide(0, "lay")


def test_the_die_is_a_chance_node_with_its_event() -> None:
    state, facts = MARRAKECH.decide(position(), 0, "turn:S")
    assert MARRAKECH.pending(state) == Chance(1, (1, 2, 2, 3, 3, 4))
    assert MARRAKECH.legal(state) == ()
    assert facts == {}
    state = turns(position(), "turn:S", "lay:c2c3")
    state, _ = MARRAKECH.decide(state, 1, "turn:L")
    assert MARRAKECH.pending(state) == Chance(2, (1, 2, 2, 3, 3, 4))


def test_with_two_players_the_piles_take_two_events_first() -> None:
    state, _ = MARRAKECH.decide(position(seats=2), 0, "turn:S")
    assert MARRAKECH.pending(state) == Chance(3, (1, 2, 2, 3, 3, 4))


@pytest.mark.parametrize("face", [0, 5, -1, 7, None, "2"])
def test_a_face_that_the_die_does_not_have(face) -> None:
    state, _ = MARRAKECH.decide(position(), 0, "turn:S")
    with pytest.raises(IllegalAction, match="no face"):
        MARRAKECH.land(state, face)


def test_no_die_falls_out_of_time() -> None:
    with pytest.raises(IllegalAction):
        MARRAKECH.land(position(), 1)


# Paying


def test_he_pays_for_the_connected_region_of_the_colour() -> None:
    rugs = ["blue d3e3", "blue c2c3", "blue e1e2", "blue g1g2"]
    state, facts = act(position(rugs=rugs), "turn:S", die=1)
    assert facts["paid"] == {"to": 1, "due": 6, "amount": 6}
    assert dirhams(state) == (24, 36, 30, 30)


def test_touching_corners_do_not_connect() -> None:
    state, facts = act(position(rugs=["blue d3e3", "blue b2c2"]), "turn:S", die=1)
    assert facts["paid"]["due"] == 2
    assert dirhams(state) == (28, 32, 30, 30)


def test_the_top_rug_counts() -> None:
    rugs = ["blue d3e3", "amber e3f3"]
    _, facts = act(position(rugs=rugs), "turn:S", die=1)
    assert facts["paid"] == {"to": 1, "due": 1, "amount": 1}


def test_nothing_is_paid_on_bare_ground_or_an_own_rug() -> None:
    for rugs in ([], ["red d3e3"]):
        state, facts = act(position(rugs=rugs), "turn:S", die=1)
        assert "paid" not in facts
        assert dirhams(state) == (30, 30, 30, 30)


def test_with_two_players_either_own_colour_is_free() -> None:
    for colour in ("red", "amber"):
        _, facts = act(position(rugs=[f"{colour} d3e3"], seats=2), "turn:S", die=1)
        assert "paid" not in facts


def test_with_two_players_a_region_is_one_colour() -> None:
    rugs = ["blue d3e3", "green c2c3"]
    _, facts = act(position(rugs=rugs, seats=2), "turn:S", die=1)
    assert facts["paid"] == {"to": 1, "due": 2, "amount": 2}


def test_nothing_is_paid_on_the_rug_of_a_player_who_left() -> None:
    state, _ = MARRAKECH.leave(position(rugs=["blue d3e3"]), 1)
    state, facts = act(state, "turn:S", die=1)
    assert "paid" not in facts
    assert dirhams(state) == (30, 0, 30, 30)


def test_paying_exactly_all_is_not_insolvency() -> None:
    start = position(rugs=["blue d3e3"], dirhams=(2, 30, 30, 30))
    state, facts = act(start, "turn:S", die=1)
    assert facts["paid"] == {"to": 1, "due": 2, "amount": 2}
    assert "out" not in facts
    assert dirhams(state) == (0, 32, 30, 30)
    assert MARRAKECH.pending(state) == Decide(0, "lay")


@pytest.mark.parametrize("purse", [0, 1])
def test_insolvent_and_out(purse: int) -> None:
    rugs = ["blue d3e3", "red a1a2"]
    start = position(rugs=rugs, dirhams=(purse, 30, 30, 30))
    state, facts = act(start, "turn:S", die=1)
    assert facts["paid"] == {"to": 1, "due": 2, "amount": purse}
    assert facts["out"] == [0]
    assert dirhams(state) == (0, 30 + purse, 30, 30)
    assert state.rugs == (0, 12, 12, 12)
    assert MARRAKECH.pending(state) == Decide(1, "turn")
    seen = MARRAKECH.observe(state, None)
    assert seen["players"][0]["in"] is False
    assert seen["players"][0]["squares"] == seen["players"][0]["points"] == 0
    assert [rug["neutral"] for rug in seen["rugs"]] == [False, True]


@pytest.mark.parametrize("purse", [0, 1])
def test_insolvent_and_playing_on(purse: int) -> None:
    start = position(rugs=["blue d3e3"], dirhams=(purse, 30, 30, 30), options=PLAY_ON)
    state, facts = act(start, "turn:S", die=1)
    assert facts["paid"] == {"to": 1, "due": 2, "amount": purse}
    assert "out" not in facts
    assert dirhams(state) == (0, 30 + purse, 30, 30)
    assert MARRAKECH.pending(state) == Decide(0, "lay")


def test_whoever_is_out_is_skipped_from_then_on() -> None:
    state, _ = MARRAKECH.leave(position(), 1)
    state = turns(state, "turn:S", "lay:c2c3")
    assert MARRAKECH.pending(state) == Decide(2, "turn")
    state = turns(state, "turn:S", "lay:c1c2")
    assert MARRAKECH.pending(state) == Decide(3, "turn")


# Laying


def test_all_places_around_assam() -> None:
    state = position("d4 south", phase="lay")
    places = [action.removeprefix("lay:") for action in MARRAKECH.legal(state)]
    assert " ".join(places) == "b4c4 c3c4 c3d3 c4c5 c5d5 d2d3 d3e3 d5d6 d5e5 e3e4 e4e5 e4f4"


def test_in_a_corner_there_are_four() -> None:
    state = position("a1 south", phase="lay")
    assert MARRAKECH.legal(state) == ("lay:a2a3", "lay:a2b2", "lay:b1b2", "lay:b1c1")


@pytest.mark.parametrize("action", ["lay:d4e4", "lay:c4d4", "lay:a1a2", "lay:e5f5", "lay:d6d7"])
def test_never_under_assam_and_never_away_from_him(action: str) -> None:
    with pytest.raises(IllegalAction, match="Assam is on d4"):
        act(position("d4 south", phase="lay"), action)


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_both_halves_of_one_rug_may_not_be_covered(colour: str) -> None:
    state = position("d4 south", rugs=[f"{colour} d3e3"], phase="lay")
    assert "lay:d3e3" not in MARRAKECH.legal(state)
    with pytest.raises(IllegalAction, match="one rug lies on both squares"):
        act(state, "lay:d3e3")


def test_also_not_of_a_neutral_rug() -> None:
    state, _ = MARRAKECH.leave(position("d4 south", rugs=["blue d3e3"], phase="lay"), 1)
    assert "lay:d3e3" not in MARRAKECH.legal(state)


@pytest.mark.parametrize(
    "rugs",
    [
        [],
        ["blue e3f3"],
        ["blue e3f3", "blue d2d3"],
        ["blue e3f3", "red c3d3"],
        ["blue d3e3", "blue e3f3"],
        ["blue d3e3", "amber d2d3", "blue d1d2"],
    ],
)
def test_bare_ground_and_halves_of_different_rugs_may_be_covered(rugs: list[str]) -> None:
    state = position("d4 south", rugs=rugs, phase="lay")
    assert "lay:d3e3" in MARRAKECH.legal(state)
    after, _ = act(state, "lay:d3e3")
    rug = MARRAKECH.observe(after, None)["rugs"][-1]
    assert rug["squares"] == rug["visible"] == ["d3", "e3"]
    assert (rug["colour"], rug["seat"], rug["id"]) == ("red", 0, len(rugs) + 1)


def test_a_rug_laid_where_another_was_counts_as_whole_again() -> None:
    rugs = ["blue d3e3", "amber e3f3", "green d3e3"]
    assert "lay:d3e3" not in MARRAKECH.legal(position("d4 south", rugs=rugs, phase="lay"))


@pytest.mark.parametrize(("colour", "allowed"), [("red", True), ("amber", True), ("blue", False)])
def test_the_option_to_cover_an_own_whole_rug(colour: str, allowed: bool) -> None:
    state = position(
        "d4 south", rugs=[f"{colour} d3e3"], seats=2, options={"cover_own": True}, phase="lay"
    )
    assert ("lay:d3e3" in MARRAKECH.legal(state)) is allowed
    if allowed:
        assert act(state, "lay:d3e3")[0].laid[-1] == (state.laid[0][0], 0)
    else:
        with pytest.raises(IllegalAction):
            act(state, "lay:d3e3")


def test_two_players_lay_the_top_rug_of_the_pile() -> None:
    state = position(seats=2)
    seen = MARRAKECH.observe(state, 1)["players"]
    assert [player["next"] for player in seen] == ["red", "blue"]
    state = turns(state, "turn:S", "lay:c2c3")
    seen = MARRAKECH.observe(state, 1)
    assert seen["rugs"][0]["colour"] == "red"
    assert seen["players"][0]["next"] == "amber"
    assert seen["players"][0]["rugs"] == {"red": 11, "amber": 12}


def test_a_pile_that_is_known_in_part_carries_as_far_as_it_is_known() -> None:
    state = MARRAKECH.start(2, {}, (("red", "amber"), ("blue",)))
    assert MARRAKECH.revealed(state) == (("red",), ("blue",))
    state = turns(state, "turn:S", "lay:c2c3", "turn:S")
    assert MARRAKECH.revealed(state) == (("red", "amber"), ("blue",))
    with pytest.raises(IllegalAction, match="not known any further"):
        act(state, MARRAKECH.legal(state)[0])


# Turning after


def test_after_the_turn_starts_with_the_roll_and_walks_south() -> None:
    state = position(options=AFTER)
    assert MARRAKECH.pending(state) == Decide(0, "roll")
    assert MARRAKECH.legal(state) == ("roll",)
    state, facts = act(state, "roll", die=2)
    assert facts["assam"] == "d2 south"
    assert MARRAKECH.pending(state) == Decide(0, "lay")


def test_after_laying_he_must_be_turned_left_or_right() -> None:
    state = turns(position(options=AFTER), "roll", "lay:c2c3")
    assert MARRAKECH.pending(state) == Decide(0, "face")
    assert MARRAKECH.legal(state) == ("turn:L", "turn:R")
    with pytest.raises(IllegalAction, match="expected turn:L, turn:R"):
        act(state, "turn:S")
    state, facts = act(state, "turn:L")
    assert facts == {"facing": "east"}
    assert assam(state) == "d3 east"
    assert MARRAKECH.pending(state) == Decide(1, "roll")
    state, facts = act(state, "roll", die=1)
    assert facts["assam"] == "e3 east"


def test_after_the_last_rug_nobody_turns() -> None:
    state = position(options=AFTER)
    state = state._replace(rugs=(0, 0, 0, 1), mover=3, phase="lay")
    state, _ = act(state, MARRAKECH.legal(state)[0])
    assert over(state).reason == "rugs"


def test_after_an_insolvent_mover_does_not_turn_him() -> None:
    start = position(rugs=["blue d3e3"], dirhams=(1, 30, 30, 30), options=AFTER)
    state, facts = act(start, "roll", die=1)
    assert facts["out"] == [0]
    assert MARRAKECH.pending(state) == Decide(1, "roll")
    assert assam(state) == "d3 south"


# Refusals


@pytest.mark.parametrize(
    "action",
    [
        "",
        "turn",
        "turn:l",
        "turn:U",
        " turn:L",
        "turn:L ",
        "turn:L\n",
        "Roll",
        "lay:",
        "lay:d4",
        "lay:e4d4",
        "lay:d4d4",
        "lay:a1c1",
        "lay:a7a8",
        "lay:g1h1",
        "lay:a1a2a3",
        "lay:A1A2",
        "lay:a１a２",
        "resign ",
        "pass",
    ],
)
def test_what_is_no_notation(action: str) -> None:
    for state in (position(), position(phase="lay"), position(options=AFTER)):
        with pytest.raises(BadNotation, match="is not an action of Marrakech"):
            act(state, action)


@pytest.mark.parametrize(
    ("phase", "action"),
    [("turn", "roll"), ("turn", "lay:c3c4"), ("lay", "turn:L"), ("lay", "roll")],
)
def test_what_is_not_the_decision_now(phase: str, action: str) -> None:
    with pytest.raises(IllegalAction, match=f"{action}: not now, expected"):
        act(position(phase=phase), action)


def test_only_the_mover_decides() -> None:
    for seat in (1, 2, 3, 4, -1):
        with pytest.raises(NotYourDecision, match="seat 0 is"):
            MARRAKECH.decide(position(), seat, "turn:L")


def test_nobody_decides_while_the_die_is_in_the_air() -> None:
    state, _ = MARRAKECH.decide(position(), 0, "turn:S")
    with pytest.raises(NotYourDecision):
        MARRAKECH.decide(state, 0, "turn:S")
