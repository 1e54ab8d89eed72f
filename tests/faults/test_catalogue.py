"""The catalogue of faults keeps up with the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.catalogue import FAULTS, Fault

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_can_be_put_into_the_code(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text().count(fault.text) == 1
    named = [part for part in fault.tests.split() if part.startswith("tests/")]
    assert all((ROOT / part).exists() for part in named)


def test_no_fault_is_named_twice() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
