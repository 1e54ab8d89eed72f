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
LOCALES = {"en": "en", "ru": "ru", "pl": "pl", "ro": "ro", "zh-hant": "zh_Hant"}
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
        ("pl", "niedz., 22 listopada, 09:12", "22 listopada 2026, 09:12", "listopad 2026"),
        ("ro", "duminică, 22 noiembrie, 09:12", "22 noiembrie 2026, 09:12", "noiembrie 2026"),
        ("zh-hant", "11月22日 星期日 09:12", "2026年11月22日 09:12", "2026年11月"),
    ],
)
def test_a_moment_in_each_language(code: str, day: str, year: str, month: str) -> None:
    with translation.override(code):
        assert moment(SUNDAY, "day") == day
        assert moment(SUNDAY, "year") == year
        assert moment(SUNDAY, "month") == month


# Each form as its language writes it, with the names of CLDR: weekdays and months in full or
# short, and months as they stand alone. Only the last day is declined, as above.
WRITTEN = {
    "en": {
        "time": "{d} {mon}, {t}",
        "day": "{day} {d} {mon}, {t}",
        "long day": "{weekday}, {d} {month}, {t}",
        "date": "{d} {month} {y}",
        "short": "{d} {mon} {y}",
        "year": "{d} {month} {y}, {t}",
        "month": "{month} {y}",
    },
    "ru": {
        "time": "{d} {month}, {t}",
        "day": "{day}, {d} {month}, {t}",
        "long day": "{weekday}, {d} {month}, {t}",
        "date": "{d} {month} {y} г.",
        "short": "{d} {mon} {y} г.",
        "year": "{d} {month} {y} г., {t}",
        "month": "{alone} {y} г.",
    },
    "pl": {
        "time": "{d} {month}, {t}",
        "day": "{day}, {d} {month}, {t}",
        "long day": "{weekday}, {d} {month}, {t}",
        "date": "{d} {month} {y}",
        "short": "{d} {mon} {y}",
        "year": "{d} {month} {y}, {t}",
        "month": "{alone} {y}",
    },
    "ro": {
        "time": "{d} {month}, {t}",
        "day": "{weekday}, {d} {month}, {t}",
        "long day": "{weekday}, {d} {month}, {t}",
        "date": "{d} {month} {y}",
        "short": "{d} {mon} {y}",
        "year": "{d} {month} {y}, {t}",
        "month": "{month} {y}",
    },
    "zh-hant": {
        "time": "{month}{d}日 {t}",
        "day": "{month}{d}日 {weekday} {t}",
        "long day": "{month}{d}日 {weekday} {t}",
        "date": "{y}年{month}{d}日",
        "short": "{y}年{month}{d}日",
        "year": "{y}年{month}{d}日 {t}",
        "month": "{y}年{month}",
    },
}


@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("form", MOMENTS)
def test_every_form_on_every_day_of_a_year_has_the_names_of_cldr(code: str, form: str) -> None:
    locale = LOCALES[code]
    declined = DECLINED.get(code, "").split()
    full, short = (get_day_names(width, locale=locale) for width in ("wide", "abbreviated"))
    months, mons = (get_month_names(width, locale=locale) for width in ("wide", "abbreviated"))
    alone = get_month_names("wide", "stand-alone", locale=locale)
    with translation.override(code):
        for number in range(365):
            at = MONDAY + timedelta(days=number)
            assert moment(at, form) == WRITTEN[code][form].format(
                d=at.day,
                y=at.year,
                t=f"{at:%H:%M}",
                weekday=declined[at.weekday()] if declined else full[at.weekday()],
                day=short[at.weekday()],
                month=months[at.month],
                mon=mons[at.month],
                alone=alone[at.month],
            )


@pytest.mark.parametrize("code", LOCALES)
@pytest.mark.parametrize("form", MOMENTS)
def test_every_form_has_24_hours_and_no_stray_capital(code: str, form: str) -> None:
    with translation.override(code):
        for days in range(0, 365, 13):
            said = moment(MONDAY + timedelta(days=days), form)
            assert "13:05" in said or form in ("date", "month", "short")
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
    """Only machines get another form: that of the attribute `datetime` or of an address, and a time
    zone; and the name of a month may stand alone, as the heading of a row."""
    bare = re.compile(r"\|(?:date|time)\b(?!:['\"](?:c|e|F|Y-m-d)['\"])")
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "templates").rglob("*.*")
        if bare.search(path.read_text())
    ]
    assert found == []
