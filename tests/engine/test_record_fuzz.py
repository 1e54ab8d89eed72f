"""Records damaged at random: nothing but BadRecord comes out, and nothing false goes through."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.errors import BadRecord
from games.engine.record import read, verify
from tests.engine.test_golden import lines

STRANGE: list[Any] = [
    None, True, False, 0, 1, -1, 3, 10**40, "", "turn:L", "resign", "\x00", "\ud800", "é" * 300,
    [], [[]], [0], ["red"], {}, {"n": 1}, [[[[[[[[]]]]]]]],
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=8,
)


def short(game: str) -> dict[str, Any]:
    """A small record that holds, to damage."""
    line = min(lines(game), key=len)
    return json.loads(line)


def says_freely(whole: dict[str, Any], path: tuple[Any, ...]) -> bool:
    """Names, and the players' words where no die follows from them: any text may stand there."""
    words = path[:2] == ("fairness", "entropy") and whole["game"] == "ifrito"
    return path[-1] in ("id", "name") or words


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inside in value.items():
            found += places(inside, (*path, key))
    elif isinstance(value, list):
        for index, inside in enumerate(value):
            found += places(inside, (*path, index))
    return found


def holds(text: str | bytes) -> bool:
    try:
        verify(read(text))
    except BadRecord as error:
        str(error).encode()
        return False
    return True


@pytest.mark.parametrize("game", ["marrakech", "ifrito"])
def test_a_strange_value_anywhere_is_refused(game: str) -> None:
    rng = random.Random(0)
    whole = short(game)
    every = places(whole)
    for _ in range(600):
        value = json.loads(json.dumps(whole))
        *way, last = path = rng.choice(every)
        place = value
        for key in way:
            place = place[key]
        stood, strange = place[last], rng.choice(STRANGE)
        place[last] = strange
        same = json.dumps(stood) == json.dumps(strange)
        assert same or says_freely(whole, path) or not holds(json.dumps(value)), (path, strange)


@pytest.mark.parametrize("game", ["marrakech", "ifrito"])
def test_a_missing_part_anywhere_is_refused(game: str) -> None:
    rng = random.Random(1)
    whole = short(game)
    # The seed may be absent, and so may piles where there are none.
    every = [path for path in places(whole) if path not in {("fairness", "seed"), ("piles",)}]
    for path in rng.sample(every, min(300, len(every))):
        value = json.loads(json.dumps(whole))
        *way, last = path
        place = value
        for key in way:
            place = place[key]
        del place[last]
        assert not holds(json.dumps(value)), path


@pytest.mark.parametrize("game", ["marrakech", "ifrito"])
def test_damaged_bytes_never_raise_anything_else(game: str) -> None:
    rng = random.Random(2)
    whole = json.dumps(short(game)).encode()
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        holds(bytes(damaged))


@settings(max_examples=80, deadline=None)
@given(JSON)
def test_any_json_is_refused(value: Any) -> None:
    assert not holds(json.dumps(value))


@settings(max_examples=80, deadline=None)
@given(st.binary() | st.text())
def test_any_text_is_refused(text: str | bytes) -> None:
    assert not holds(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["rules", "players", "piles", "fairness", "moves", "result"]), JSON)
def test_any_json_in_place_of_a_part_is_refused(part: str, value: Any) -> None:
    whole = short("marrakech")
    if value == [] and part == "piles":
        return
    whole[part] = value
    assert not holds(json.dumps(whole))
