"""Days and months as each language writes them in the middle of a sentence."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from babel.dates import get_day_names, get_month_names
from django.utils import translation

from games.moments import MOMENTS, moment
from tests.i18n.catalogues import ROOT

SUNDAY = datetime(2026, 11, 22, 9, 12, tzinfo=UTC)
MONDAY = datetime(2026, 11, 16, 13, 5, tzinfo=UTC)
LOCALES = {"en": "en_GB", "ru": "ru", "pl": "pl", "ro": "ro", "zh-hant": "zh_Hant"}
# After “until”: the days as CLDR has them, except where the language declines them.
DECLINED = {
    "pl": "poniedziałku wtorku środy czwartku piątku soboty niedzieli",
    "ru": "понедельника вторника среды четверга пятницы субботы воскресенья",
}


@pytest.mark.parametrize(
    ("code", "day", "year", "month"),
    [
        ("en", "Sun 22 Nov, 09:12", "22 November 2026, 09:12", "November 2026"),
        ("ru", "вс, 22 ноября, 09:12", "22 ноября 2026 г., 09:12", "ноябрь 2026 г."),
        ("pl", "nd, 22 listopada, 09:12", "22 listopada 2026, 09:12", "listopada 2026"),
        ("ro", "duminică, 22 noiembrie, 09:12", "22 noiembrie 2026, 09:12", "noiembrie 2026"),
        ("zh-hant", "11月22日 星期日 09:12", "2026年11月22日 09:12", "2026年11月"),
    ],
)
def test_a_moment_in_each_language(code: str, day: str, year: str, month: str) -> None:
    with translation.override(code):
        assert moment(SUNDAY, "day") == day
        assert moment(SUNDAY, "year") == year
        assert moment(SUNDAY, "month") == month


@pytest.mark.parametrize("code", LOCALES)
def test_a_full_day_stands_as_it_does_after_until(code: str) -> None:
    days = dict(enumerate(DECLINED[code].split())) if code in DECLINED else None
    days = days or dict(get_day_names("wide", locale=LOCALES[code]))
    with translation.override(code):
        for number in range(7):
            assert days[number] in moment(MONDAY + timedelta(days=number), "long day")


@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("form", ["long day", "date", "year"])
def test_a_month_after_its_day_is_that_of_cldr(code: str, form: str) -> None:
    months = get_month_names("wide", "format", locale=LOCALES[code])
    with translation.override(code):
        for number in range(1, 13):
            said = moment(MONDAY.replace(month=number), form)
            assert months[number] in said
            assert "16" in said


@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("form", MOMENTS)
def test_every_form_has_24_hours_and_no_stray_capital(code: str, form: str) -> None:
    with translation.override(code):
        for days in range(0, 365, 13):
            said = moment(MONDAY + timedelta(days=days), form)
            assert "13:05" in said or form in ("date", "month")
            assert not re.search(r"\.m\.|AM|PM|\.\.", said)
            assert code == "en" or said == said.lower()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "until Wednesday, 18 November, 13:05"),
        ("ru", "до среды, 18 ноября, 13:05"),
        ("pl", "do środy, 18 listopada, 13:05"),
        ("ro", "până miercuri, 18 noiembrie, 13:05"),
        ("zh-hant", "到 11月18日 星期三 13:05"),
    ],
)
def test_until_a_day(code: str, said: str) -> None:
    with translation.override(code):
        day = moment(MONDAY + timedelta(days=2), "long day")
        assert translation.gettext("until %(day)s") % {"day": day} == said


def test_templates_write_moments_by_the_common_filter():
    """Only machines get another form: that of the attribute `datetime`, and a time zone."""
    bare = re.compile(r"\|(?:date|time)\b(?!:['\"](?:c|e)['\"])")
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.*")
        if bare.search(path.read_text())
    ]
    assert found == []
