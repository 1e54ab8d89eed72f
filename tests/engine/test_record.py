"""Records: what is written is read, verified and replayed."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest

from games.engine.chance import deal
from games.engine.errors import BadRecord
from games.engine.games import ruleset
from games.engine.interface import Decide, Over
from games.engine.record import read, replay, valid_prefix, verify, write
from tests.engine.records import SEED, checked, data, paired, running, simple
from tests.engine.test_golden import lines


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
