"""How long something takes or has taken, as people say it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.moments import time_left, time_since
from tests.people import NOON


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(days=3), "3 days"),
        (timedelta(days=3, seconds=-20), "3 days"),
        (timedelta(days=2, hours=20), "3 days"),
        (timedelta(days=2, hours=12), "2 days"),
        (timedelta(days=1, hours=4), "1 day"),
        (timedelta(hours=12, seconds=-1), "12 hours"),
        (timedelta(minutes=50), "1 hour"),
        (timedelta(minutes=44), "44 minutes"),
        (timedelta(seconds=50), "1 minute"),
        (timedelta(seconds=30), "less than a minute"),
        (timedelta(seconds=-30), "less than a minute"),
        (timedelta(days=-2), "less than a minute"),
    ],
)
def test_a_fresh_clock_has_all_its_time_left(left: timedelta, said: str) -> None:
    assert time_left(NOON + left, NOON) == said


def test_nothing_was_zero_minutes_ago() -> None:
    assert time_since(NOON, NOON + timedelta(seconds=59)) == ""
    assert time_since(NOON, NOON + timedelta(minutes=1)) == "1\xa0minute"
