"""Whole numbers in the form of each language."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.numerals import grouped


@pytest.mark.parametrize(
    ("code", "small", "large"),
    [
        ("en", "9,999", "225,374"),
        ("ru", "9\u00a0999", "225\u00a0374"),
        ("pl", "9999", "225\u00a0374"),
        ("ro", "9.999", "225.374"),
        ("zh-hant", "9,999", "225,374"),
    ],
)
def test_thousands_are_parted_as_the_reader_does(code: str, small: str, large: str) -> None:
    with translation.override(code):
        assert grouped(9999) == small
        assert grouped(225_374) == large
        assert grouped(999) == "999"
