"""Records: whatever was tampered with is found."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.errors import BadRecord
from games.engine.record import write
from tests.engine.records import changed, checked, data, paired, running, simple

ANOTHER = "ab" * 32


def first(value: dict[str, Any], key: str) -> dict[str, Any]:
    return next(move for move in value["moves"] if key in move)


@pytest.mark.parametrize(
    ("path", "wrong", "message"),
    [
        (["moves", 0, "assam"], "a1 north", "move 1: assam is 'a1 north', expected '"),
        (["moves", 0, "out"], [0], r"move 1: out is \[0\], expected no out"),
        (["moves", 1, "action"], "lay:a1a2", "move 2: lay:a1a2: Assam is on"),
        (["moves", 1, "seat"], 3, "move 2: seat 3 is not to act: seat 0 is"),
        (["moves", 0, "n"], 2, "move 1: n is 2, expected 1"),
        (["moves", 0, "n"], 0, "move 1: n is 0, expected 1"),
        (["moves", 0, "n"], True, "move 1: n is True, expected 1"),
        (["moves", 0, "n"], "1", "move 1: n is '1', expected 1"),
        (["moves", 0, "n"], None, "move 1: n is nothing, expected 1"),
        (["fairness", "seed"], ANOTHER, "fairness: the commitment is .*, expected"),
        (["fairness", "commitment"], ANOTHER, "fairness: the commitment is .*, expected"),
        (["result", "reason"], "last_player", r"result is .*, expected \{"),
        (["result", "ranking"], [[0, 1, 2, 3]], r"result is .*, expected \{"),
        (["result", "points"], [1, 2, 3, 4], r"result is .*, expected \{"),
        (["result", "dirhams"], [30, 30, 30], r"result is .*, expected \{"),
        (["result", "squares"], [1, 1, 1, 1], r"result is .*, expected \{"),
    ],
)
def test_what_does_not_follow_is_found(path: list[Any], wrong: object, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        checked(changed(path, wrong))


def test_another_die_is_found_by_the_seed() -> None:
    value = data(simple())
    move = value["moves"][0]
    move["die"] = stood = move["die"] % 4 + 1
    with pytest.raises(BadRecord, match=f"move 1: die is {stood}, expected "):
        checked(value)


@pytest.mark.parametrize("die", [0, 5, -3, 10**30])
def test_an_impossible_die_is_found_without_the_seed(die: int) -> None:
    value = data(simple())
    del value["fairness"]["seed"]
    value["moves"][0]["die"] = die
    with pytest.raises(BadRecord, match=f"move 1: the die is {die}, expected one of 1, 2, 3, 4"):
        checked(value)


def test_a_missing_die_and_one_too_many_are_found() -> None:
    value = data(simple())
    del value["fairness"]["seed"]
    die = value["moves"][0].pop("die")
    with pytest.raises(BadRecord, match="move 1: no die stands there"):
        checked(value)
    value["moves"][0]["die"] = die
    value["moves"][1]["die"] = 1
    with pytest.raises(BadRecord, match="move 2: die is 1, expected no die"):
        checked(value)


def test_another_payment_is_found() -> None:
    for key, wrong in (("to", 9), ("due", 48), ("amount", 0), ("amount", True)):
        value = data(simple())
        move = first(value, "paid")
        move["paid"][key] = wrong
        with pytest.raises(BadRecord, match=f"move {move['n']}: paid is .*, expected "):
            checked(value)


def test_a_missing_payment_is_found() -> None:
    value = data(simple())
    move = first(value, "paid")
    del move["paid"]
    with pytest.raises(BadRecord, match=f"move {move['n']}: paid is missing, expected "):
        checked(value)


def test_moves_after_the_end_are_found() -> None:
    value = data(simple())
    value["moves"].append({"n": 97, "seat": 0, "action": "turn:L"})
    with pytest.raises(BadRecord, match="move 97: seat 0 is not to act: nobody is"):
        checked(value)


def test_a_missing_last_move_is_found() -> None:
    value = data(simple())
    value["moves"].pop()
    with pytest.raises(BadRecord, match="not over"):
        checked(value)


def test_another_word_is_found() -> None:
    value = data(paired())
    value["fairness"]["entropy"][0] = "other"
    with pytest.raises(BadRecord, match=r"piles are .*, expected"):
        checked(value)


def test_another_pile_is_found_with_and_without_the_seed() -> None:
    value = data(paired())
    value["piles"][0].reverse()
    with pytest.raises(BadRecord, match=r"piles are .*, expected"):
        checked(value)
    value = data(paired())
    del value["fairness"]["seed"]
    value["piles"][0].pop()
    with pytest.raises(BadRecord, match="expected all of them"):
        checked(value)


def test_piles_in_a_game_without_piles_are_found() -> None:
    value = data(write(running(3, 4)))
    value["piles"] = [["red"]]
    with pytest.raises(BadRecord, match="1 piles were dealt, expected 0"):
        checked(value)


def test_a_game_without_piles_may_leave_them_out() -> None:
    value = data(simple())
    del value["piles"]
    checked(value)


def test_the_list_of_legal_actions_is_checked() -> None:
    value = data(simple())
    value["moves"][0]["legal"] = ["turn:L", "turn:R", "turn:S"]
    checked(value)
    value["moves"][0]["legal"].pop()
    with pytest.raises(BadRecord, match=r"move 1: legal is .*, expected"):
        checked(value)
