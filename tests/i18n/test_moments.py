"""Days and months as each language writes them in the middle of a sentence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation

from games.moments import moment

SUNDAY = datetime(2026, 11, 22, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("code", "day", "year", "month"),
    [
        ("en", "Sun 22 Nov, 09:12", "22 November 2026, 09:12", "November 2026"),
        ("ru", "вс, 22 ноября, 09:12", "22 ноября 2026 г., 09:12", "ноябрь 2026 г."),
        ("pl", "nd, 22 listopada, 09:12", "22 listopada 2026, 09:12", "listopada 2026"),
        ("ro", "dum, 22 noi, 09:12", "22 noiembrie 2026, 09:12", "noiembrie 2026"),
        ("zh-hant", "11月22日 星期日 09:12", "2026年11月22日 09:12", "2026年11月"),
    ],
)
def test_a_moment_in_each_language(code: str, day: str, year: str, month: str) -> None:
    with translation.override(code):
        assert moment(SUNDAY, "day") == day
        assert moment(SUNDAY, "year") == year
        assert moment(SUNDAY, "month") == month
