"""Moments in the words and the order of each language."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from babel.dates import get_day_names, get_month_names
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext, pgettext_lazy
from django.utils.translation import gettext as _

from games.languages import locale_of

# Letters as in Django's date filter; other languages order them in their own way.
MOMENTS = {
    "time": pgettext_lazy("date format", "j M, H:i"),
    "day": pgettext_lazy("date format", "D j M, H:i"),
    "long day": pgettext_lazy("date format", "l, j E, H:i"),
    "date": pgettext_lazy("date format", "j F Y"),
    "short": pgettext_lazy("date format", "j M Y"),
    "year": pgettext_lazy("date format", "j F Y, H:i"),
    "month": pgettext_lazy("date format", "F Y"),
}

# Where a day is named in full, it is the last one: many languages then decline it.
LAST_DAYS = (
    pgettext_lazy("until", "Monday"),
    pgettext_lazy("until", "Tuesday"),
    pgettext_lazy("until", "Wednesday"),
    pgettext_lazy("until", "Thursday"),
    pgettext_lazy("until", "Friday"),
    pgettext_lazy("until", "Saturday"),
    pgettext_lazy("until", "Sunday"),
)


DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def length_in_words(unit: timedelta, n: int) -> str:
    """So many days, hours or minutes."""
    if unit == DAY:
        return ngettext("%(n)d day", "%(n)d days", n) % {"n": n}
    if unit == HOUR:
        return ngettext("%(n)d hour", "%(n)d hours", n) % {"n": n}
    return ngettext("%(n)d minute", "%(n)d minutes", n) % {"n": n}


def span(length: timedelta) -> str:
    """A length of time in whole days or else in hours."""
    unit = HOUR if length % DAY else DAY
    return length_in_words(unit, length // unit)


def time_left(until: datetime, now: datetime | None = None) -> str:
    """Roughly how long until then, beside the exact date: a clock that was just set to three
    days has three days left, though a moment of them is gone."""
    left = until - (now or timezone.now())
    for unit in (DAY, HOUR, MINUTE):
        n = (left + unit / 4) // unit
        if n > 0:
            return length_in_words(unit, n)
    return instant()


def instant() -> str:
    return _("less than a minute")


def time_since(at: datetime, now: datetime | None = None) -> str:
    """How long ago that was; nothing in the first minute."""
    now = now or timezone.now()
    return timesince(at, now) if now - at >= MINUTE else ""


def moment(at: datetime, form: str) -> str:
    """In the time zone of the reader. A full day of the week stands as it does after “until”."""
    return _moment(localtime(at).replace(tzinfo=None), form, get_language())


def day_in_words(day: date) -> str:
    """A day that is the same one everywhere."""
    return _moment(datetime.combine(day, time()), "date", get_language())


def month_in_short(month: int) -> str:
    """As people abbreviate it where it stands alone."""
    names = get_month_names("abbreviated", "stand-alone", locale_of(get_language()))
    return str(names[month])


@lru_cache(maxsize=10_000)
def _moment(local: datetime, form: str, language: str | None) -> str:
    """Without its zone, because times of different zones may be equal."""
    locale, day = locale_of(language), local.weekday()
    # Django's short names are not what people abbreviate to in every language.
    names = {
        "l": str(LAST_DAYS[day]),
        "D": get_day_names("abbreviated", locale=locale)[day],
        "M": get_month_names("abbreviated", locale=locale)[local.month],
    }
    pattern = re.sub("[lDM]", lambda letter: _as_it_is(names[letter[0]]), str(MOMENTS[form]))
    text = date_format(local, pattern)
    # Only English writes days and months with capitals.
    return text if language == "en" else text.lower()


def _as_it_is(text: str) -> str:
    return "".join(f"\\{letter}" for letter in text)
