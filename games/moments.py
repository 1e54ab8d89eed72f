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
    "year": pgettext_lazy("date format", "j F Y, H:i"),
    "month": pgettext_lazy("date format", "F Y"),
}


def moment(at: datetime, form: str) -> str:
    """In the time zone of the reader."""
    text = date_format(localtime(at), str(MOMENTS[form]))
    # Only English writes days and months with capitals.
    return text if get_language() == "en" else text.lower()
