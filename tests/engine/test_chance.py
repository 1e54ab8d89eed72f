"""The stream against the standard library's HMAC, and shuffles against the letter of the format."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from games.engine.chance import (
    RecordedSource,
    SeededSource,
    Stream,
    commitment,
    deal,
    first_roll,
    seating,
)
from games.engine.errors import BadRecord

SEED = bytes(range(32))
WORDS = ("saffron", "mint", "clove")
DIE = (1, 2, 2, 3, 3, 4)


def plain_stream(event: int, blocks: int = 3) -> list[int]:
    """Written once more, as the format describes it."""
    prefix = f"{hashlib.sha256(SEED).hexdigest()}|saffron,mint,clove|{event}|"
    return [
        byte
        for block in range(blocks)
        for byte in hmac.digest(SEED, f"{prefix}{block}".encode(), "sha256")
    ]


def plain_number(n: int, stream: list[int]) -> int:
    while (byte := stream.pop(0)) >= 256 - 256 % n:
        pass
    return byte % n


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@pytest.mark.parametrize("event", [0, 1, 9, 10, 123])
def test_the_stream_is_the_hmac_of_event_and_block(event: int) -> None:
    source = SeededSource(SEED, WORDS)
    drawn = b"".join(source.block(event, number) for number in range(3))
    assert list(drawn) == plain_stream(event)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 24, 100, 129, 200, 255, 256])
def test_numbers_come_by_rejection_and_go_on_in_the_next_block(n: int) -> None:
    stream = Stream(SeededSource(SEED, WORDS), 5)
    expected = plain_stream(5)
    assert [stream.below(n) for _ in range(40)] == [plain_number(n, expected) for _ in range(40)]


def test_a_roll_is_a_face_at_the_drawn_index() -> None:
    source = SeededSource(SEED, WORDS)
    for event in range(200):
        assert source.draw(event, DIE) == DIE[plain_number(6, plain_stream(event))]


def test_the_order_of_rolls_does_not_matter() -> None:
    source = SeededSource(SEED, WORDS)
    forth = [source.draw(event, DIE) for event in range(20)]
    back = [source.draw(event, DIE) for event in reversed(range(20))]
    assert forth == back[::-1]


def test_every_face_falls_about_as_often_as_the_die_shows_it() -> None:
    source = SeededSource(SEED, WORDS)
    counts = Counter(source.draw(event, DIE) for event in range(6000))
    assert set(counts) == set(DIE)
    for face, weight in Counter(DIE).items():
        assert abs(counts[face] - 1000 * weight) < 150


@pytest.mark.parametrize("length", [0, 1, 2, 3, 24])
def test_a_shuffle_goes_from_the_last_index_down(length: int) -> None:
    expected = list(range(length))
    stream = plain_stream(1)
    for last in reversed(range(1, length)):
        other = plain_number(last + 1, stream)
        expected[last], expected[other] = expected[other], expected[last]
    assert SeededSource(SEED, WORDS).shuffle(1, range(length)) == tuple(expected)


def test_the_seating_is_event_nought_and_the_piles_follow() -> None:
    source = SeededSource(SEED, WORDS)
    decks = (("red",) * 12 + ("amber",) * 12, ("blue",) * 12 + ("green",) * 12)
    assert seating(SEED, WORDS) == source.shuffle(0, range(3))
    assert deal(SEED, WORDS, decks) == (source.shuffle(1, decks[0]), source.shuffle(2, decks[1]))
    assert first_roll(len(decks)) == 3
    assert first_roll(0) == 1


def test_every_word_and_the_order_of_joining_matter() -> None:
    def rolls(*words: str) -> list[int]:
        return [SeededSource(SEED, words).draw(event, DIE) for event in range(50)]

    assert rolls("a", "b") != rolls("b", "a")
    assert rolls("a", "b") != rolls("a", "c")
    assert rolls("a", "b") == rolls("a", "b")


def test_a_recorded_face_must_be_one_of_the_die() -> None:
    assert RecordedSource(3).draw(1, DIE) == 3
    with pytest.raises(BadRecord, match="the die is 5, expected one of 1, 2, 3, 4"):
        RecordedSource(5).draw(1, DIE)
    with pytest.raises(BadRecord, match="no die stands there, expected one of 1, 2, 3, 4"):
        RecordedSource(None).draw(1, DIE)
