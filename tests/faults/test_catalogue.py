"""A fault that cannot be put in any more would be noticed by nobody."""

from __future__ import annotations

from pathlib import Path

from tests.faults.catalogue import FAULTS

ROOT = Path(__file__).parents[2]


def test_every_fault_has_its_place_in_the_code() -> None:
    lost = [each.name for each in FAULTS if (ROOT / each.file).read_text().count(each.text) != 1]
    assert lost == []


def test_every_fault_names_tests_that_are_there() -> None:
    words = [word for each in FAULTS for word in each.tests.split() if word.startswith("tests/")]
    named = [word.partition("::") for word in words]
    lost = [
        (path, test)
        for path, _, test in named
        if not (ROOT / path).exists() or (test and f"def {test}(" not in (ROOT / path).read_text())
    ]
    assert lost == []
