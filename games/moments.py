"""Moments in the words and the order of each language."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, pgettext_lazy

# Letters as in Django's date filter; other languages order them in their own way.
MOMENTS = {
    "time": pgettext_lazy("date format", "j M, H:i"),
    "day": pgettext_lazy("date format", "D j M, H:i"),
    "long day": pgettext_lazy("date format", "l, j E, H:i"),
    "date": pgettext_lazy("date format", "j F Y"),
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


def moment(at: datetime, form: str) -> str:
    """In the time zone of the reader. A full day of the week stands as it does after “until”."""
    local = localtime(at)
    last_day = "".join(f"\\{letter}" for letter in str(LAST_DAYS[local.weekday()]))
    text = date_format(local, str(MOMENTS[form]).replace("l", last_day))
    # Only English writes days and months with capitals.
    return text if get_language() == "en" else text.lower()
