"""Records: text that has not the shape of one is refused, with the name of what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.errors import BadRecord
from games.engine.record import read
from tests.engine.records import changed, checked, data, inside, simple


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
    with pytest.raises(BadRecord, match=message):
        checked(changed(path, wrong))


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
    del inside(value, way)[last]
    with pytest.raises(BadRecord, match=f"has no '{last}', expected one"):
        checked(value)


@pytest.mark.parametrize("at", ["2024-02-29T23:59:59Z", "2000-02-29T00:00:00Z"])
def test_leap_days_are_days(at: str) -> None:
    checked(changed(["moves", 0, "at"], at))


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
