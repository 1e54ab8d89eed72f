"""Chance of compiled code is what its definition says, to the last bit."""

from __future__ import annotations

from games.titles.mixing import mixed

LOW63 = (1 << 63) - 1


def by_hand(number: int) -> int:
    number = (number + 0x1E3779B97F4A7C15) & LOW63
    number = ((number ^ (number >> 30)) * 0x3F58476D1CE4E5B9) & LOW63
    number = ((number ^ (number >> 27)) * 0x14D049BB133111EB) & LOW63
    return number ^ (number >> 31)


def test_no_product_overflows_as_the_compiler_likes() -> None:
    number = 5
    for _ in range(1000):
        assert mixed(number) == by_hand(number)
        number = by_hand(number)
