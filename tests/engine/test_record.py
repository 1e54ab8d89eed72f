"""Records: what is written is read, and whatever was tampered with is found."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from games.engine.chance import SeededSource, commitment, deal
from games.engine.errors import BadRecord
from games.engine.games import ruleset
from games.engine.interface import Decide, Over, play
from games.engine.record import (
    Fairness,
    Record,
    RecordedMove,
    build,
    read,
    recorded_facts,
    replay,
    valid_prefix,
    verify,
    write,
)
from tests.engine.test_golden import lines

SEED = bytes(range(32))


@cache
def simple() -> str:
    """A finished game of four with turning before."""
    return next(
        line for line in lines("marrakech") if len(read(line).moves) == 96 and "Player 4" in line
    )


@cache
def paired() -> str:
    """A finished game of two, with piles."""
    return lines("marrakech")[0]


def data(text: str) -> dict[str, Any]:
    return json.loads(text)


def checked(value: object) -> Any:
    return verify(read(json.dumps(value)))


def running(seats: int, length: int, **options: Any) -> Record:
    """A game that has come so far, built from all that the server knows."""
    rules = ruleset("marrakech")
    words = ("word",) * seats
    chosen = rules.options(options)
    piles = deal(SEED, words, rules.decks(seats, chosen))
    source = SeededSource(SEED, words)
    state = rules.start(seats, chosen, piles)
    moves = []
    for n in range(1, length + 1):
        pending = rules.pending(state)
        assert isinstance(pending, Decide)
        action = rules.legal(state)[-1]
        state, facts = play(rules, state, pending.seat, action, source)
        at = f"2026-11-16T09:{n:02}:00Z"
        moves.append(RecordedMove(n, pending.seat, action, recorded_facts(rules, facts), at))
    return build(
        rules,
        state,
        id="k7Qm",
        options=chosen,
        names=[f"Zoë {seat} \U0001f42a" for seat in range(seats)],
        piles=piles,
        fairness=Fairness(commitment(SEED), words, SEED),
        moves=moves,
    )


@pytest.mark.parametrize("line", lines("marrakech")[:9] + lines("ifrito")[:2])
def test_what_is_read_is_written_again(line: str) -> None:
    assert write(read(line)) == line
    assert write(read(line.encode())) == line
    assert read(json.dumps(json.loads(line), indent=2)) == read(line)


def test_a_finished_game_is_verified_with_its_chance() -> None:
    verified = verify(read(paired()))
    assert verified.seeded
    assert isinstance(verified.pending, Over)


def test_a_finished_game_without_its_seed_is_verified_by_its_dice() -> None:
    value = data(paired())
    del value["fairness"]["seed"]
    verified = checked(value)
    assert not verified.seeded
    assert isinstance(verified.pending, Over)


# Running games


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("length", [0, 1, 2, 17])
def test_a_running_game_shows_only_what_is_public(seats: int, length: int) -> None:
    record = running(seats, length)
    assert record.fairness.seed is None
    assert record.result is None
    assert SEED.hex() not in write(record)
    verified = verify(read(write(record)))
    assert isinstance(verified.pending, Decide)
    if seats == 2:
        laid = [
            sum(m.action.startswith("lay") and m.seat == s for m in record.moves) for s in (0, 1)
        ]
        assert [len(pile) for pile in record.piles] == [count + 1 for count in laid]
    else:
        assert record.piles == ()


@pytest.mark.parametrize("change", [-1, 1])
def test_a_running_game_with_more_or_less_of_a_pile_is_refused(change: int) -> None:
    record = running(2, 10)
    whole = deal(SEED, ("word", "word"), ruleset("marrakech").decks(2, {}))
    piles = tuple(
        pile[: len(shown) + change] for pile, shown in zip(whole, record.piles, strict=True)
    )
    with pytest.raises(BadRecord, match="pile"):
        verify(replace(record, piles=piles))


def test_no_seed_before_the_end() -> None:
    value = data(write(running(3, 4)))
    value["fairness"]["seed"] = SEED.hex()
    with pytest.raises(BadRecord, match="expected none before the game is over"):
        checked(value)


def test_a_running_game_has_no_result() -> None:
    value = data(write(running(3, 5)))
    value["result"] = data(simple())["result"]
    with pytest.raises(BadRecord, match=r"not over, expected a move of seat 2 \(lay\)"):
        checked(value)


def test_a_game_over_has_its_result() -> None:
    value = data(simple())
    del value["result"], value["fairness"]["seed"]
    with pytest.raises(BadRecord, match=r"result is nothing, expected \{"):
        checked(value)


# Tampering


def first(value: dict[str, Any], key: str) -> dict[str, Any]:
    return next(move for move in value["moves"] if key in move)


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


def test_assam_somewhere_else_is_found() -> None:
    value = data(simple())
    value["moves"][0]["assam"] = "a1 north"
    with pytest.raises(BadRecord, match="move 1: assam is 'a1 north', expected '"):
        checked(value)


def test_somebody_out_who_is_not_is_found() -> None:
    value = data(simple())
    value["moves"][0]["out"] = [0]
    with pytest.raises(BadRecord, match=r"move 1: out is \[0\], expected no out"):
        checked(value)


def test_an_illegal_move_is_found() -> None:
    value = data(simple())
    value["moves"][1]["action"] = "lay:a1a2"
    with pytest.raises(BadRecord, match="move 2: lay:a1a2: Assam is on"):
        checked(value)


def test_a_move_out_of_turn_is_found() -> None:
    value = data(simple())
    value["moves"][1]["seat"] = 3
    with pytest.raises(BadRecord, match="move 2: seat 3 is not to act: seat 0 is"):
        checked(value)


def test_a_number_that_does_not_follow_is_found() -> None:
    for wrong in (2, 0, True, "1", None):
        value = data(simple())
        value["moves"][0]["n"] = wrong
        with pytest.raises(BadRecord, match=r"move 1: n is .*, expected 1"):
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


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("reason", "last_player"),
        ("ranking", [[0, 1, 2, 3]]),
        ("points", [1, 2, 3, 4]),
        ("dirhams", [30, 30, 30]),
        ("squares", [1, 1, 1, 1]),
    ],
)
def test_another_result_is_found(key: str, wrong: object) -> None:
    value = data(simple())
    value["result"][key] = wrong
    with pytest.raises(BadRecord, match=r"result is .*, expected \{"):
        checked(value)


def test_another_seed_or_commitment_is_found() -> None:
    for key in ("seed", "commitment"):
        value = data(simple())
        value["fairness"][key] = "ab" * 32
        with pytest.raises(BadRecord, match=r"fairness: the commitment is .*, expected"):
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


# The shape


@pytest.mark.parametrize(
    ("path", "wrong", "message"),
    [
        (["format"], "souk-record/2", "format is 'souk-record/2', expected 'souk-record/1'"),
        (["game"], "chess", "game: unknown game 'chess'"),
        (["game"], ["marrakech"], "game is .*, expected text"),
        (["id"], None, "id is nothing, expected text"),
        (["id"], "x" * 300, "id is .*, expected at most"),
        (["rules"], [], "rules is .*, expected an object"),
        (["rules", "turning"], "sideways", "rules: option turning"),
        (["rules", "cover_own"], 0, "rules: option cover_own is 0"),
        (["rules", "house"], True, "rules: unknown option 'house'"),
        (["rules", "turning"], {}, "rules: .*, expected text or true or false"),
        (["players"], {}, "players is .*, expected a list"),
        (["players"], [], "0 players stand there, expected one of 2, 3, 4"),
        (["players", 0, "name"], 7, "player 0: name is 7, expected text"),
        (["players", 0, "name"], "a\nb", "expected text without control characters"),
        (["players", 0, "name"], "\ud800", "expected text without control characters"),
        (["players", 1, "colours"], ["red"], r"player 1: colours is .*, expected \('blue',\)"),
        (["players", 1, "rating"], 5, "player 1 has 'rating', expected no such key"),
        (["piles"], "none", "piles is 'none', expected a list"),
        (["piles"], [[1]], "piles is 1, expected text"),
        (["fairness", "entropy"], ["a"], "1 entropies stand there, expected 4"),
        (["fairness", "entropy", 0], "two words", "expected 1 to 32 letters"),
        (["fairness", "entropy", 0], "é", "expected 1 to 32 letters"),
        (["fairness", "entropy", 0], "", "expected 1 to 32 letters"),
        (["fairness", "seed"], "AB" * 32, "expected 32 bytes in hexadecimal"),
        (["fairness", "seed"], None, "fairness: seed is nothing"),
        (["fairness", "commitment"], "ab", "expected a SHA-256"),
        (["fairness", "salt"], "ab", "fairness has 'salt', expected no such key"),
        (["moves"], None, "moves is nothing, expected a list"),
        (["moves", 3], "resign", "move 4: the move is 'resign', expected an object"),
        (["moves", 3, "seat"], True, "move 4: seat is True, expected a whole number"),
        (["moves", 3, "seat"], "1", "move 4: seat is '1', expected a whole number"),
        (["moves", 3, "action"], 1, "move 4: action is 1, expected text"),
        (["moves", 3, "action"], "x" * 99, "move 4: action is .*, expected at most"),
        (["moves", 3, "path"], [], "move 4: the move has 'path', expected no such key"),
        (["moves", 0, "die"], True, "move 1: die is True, expected a whole number"),
        (["moves", 3, "at"], "yesterday", "move 4: at is 'yesterday', expected a time"),
        (["moves", 3, "at"], "2026-02-29T10:00:00Z", "move 4: at is .*, expected a time"),
        (["moves", 3, "at"], "2026-11-31T10:00:00Z", "move 4: at is .*, expected a time"),
        (["moves", 3, "at"], "0000-01-01T10:00:00Z", "move 4: at is .*, expected a time"),
        (["moves", 3, "at"], "2026-11-16T09:30:00+00:00", "move 4: at is .*, expected a time"),
        (["moves", 3, "legal"], "turn:L", "move 4: legal is 'turn:L', expected a list"),
        (["result"], None, "result is nothing, expected an object"),
        (["result"], [], "result is .*, expected an object"),
        (["comment"], "", "the record has 'comment', expected no such key"),
    ],
)
def test_a_wrong_shape_is_refused_by_name(path: list[Any], wrong: object, message: str) -> None:
    value = data(simple())
    *way, last = path
    place: Any = value
    for key in way:
        place = place[key]
    place[last] = wrong
    with pytest.raises(BadRecord, match=message):
        checked(value)


@pytest.mark.parametrize(
    "path",
    [
        ["format"], ["game"], ["id"], ["rules"], ["players"], ["fairness"], ["moves"],
        ["rules", "turning"], ["players", 0, "name"], ["players", 0, "colours"],
        ["fairness", "commitment"], ["fairness", "entropy"],
        ["moves", 0, "n"], ["moves", 0, "seat"], ["moves", 0, "action"],
    ],
)  # fmt: skip
def test_what_is_missing_is_named(path: list[Any]) -> None:
    value = data(simple())
    *way, last = path
    place: Any = value
    for key in way:
        place = place[key]
    del place[last]
    with pytest.raises(BadRecord, match=f"has no '{last}', expected one"):
        checked(value)


@pytest.mark.parametrize("at", ["2024-02-29T23:59:59Z", "2000-02-29T00:00:00Z"])
def test_leap_days_are_days(at: str) -> None:
    value = data(simple())
    value["moves"][0]["at"] = at
    checked(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON at line 1, column 1"),
        ("{", "not JSON"),
        ("[]", r"the record is \[\], expected an object"),
        ("null", "the record is nothing, expected an object"),
        ('{"format": NaN}', "expected whole numbers only"),
        ('{"format": -Infinity}', "expected whole numbers only"),
        ('{"format": 1.5}', "expected whole numbers only"),
        ('{"format": 1e5}', "expected whole numbers only"),
        ('{"format": 1, "format": 1}', "the key 'format' stands twice in one object"),
        ('{"format": ' + "9" * 5000 + "}", "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format":' * 100_000, "nested too deeply"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b'{"id": "\xc3\x28"}', "not UTF-8 at byte 8"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        ("{}", "the record has no 'format', expected one"),
        ("\ud800", "not JSON"),
    ],
    ids=range(17),
)
def test_text_that_is_no_record(text: str | bytes, message: str) -> None:
    with pytest.raises(BadRecord, match=message) as refusal:
        read(text)
    assert len(str(refusal.value)) < 300


# Replaying


def test_a_replay_gives_each_move_with_both_states_and_all_facts() -> None:
    record = read(paired())
    steps = list(replay(record))
    assert [step.move for step in steps] == list(record.moves)
    for step, following in itertools.pairwise(steps):
        assert step.after == following.before
    assert "path" in steps[0].facts
    assert steps[-1].after == verify(record).state


def test_a_failing_replay_gives_the_valid_prefix_and_the_failure() -> None:
    record = read(simple())
    moves = list(record.moves)
    moves[40] = moves[40]._replace(action="turn:U")
    steps, failure = valid_prefix(replace(record, moves=tuple(moves)))
    assert [step.move for step in steps] == moves[:40]
    assert str(failure).startswith("move 41: 'turn:U' is not an action")
    steps, failure = valid_prefix(record)
    assert len(steps) == 96
    assert failure is None
