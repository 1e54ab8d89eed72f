"""Fields that several forms share."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.selectors.zones import place_of, places, zone_at

DAYS = ("%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %b %Y", "%d %B %Y")
"""Days are understood in any of these forms, because addresses go from reader to reader."""

WRITTEN = {"en": "%-d %b %Y", "zh-hant": "%Y/%m/%d"}
OTHERS_WRITE = "%d.%m.%Y"


class DayInput(forms.DateInput):
    """A day to type, in the form of the page: browsers write one in that of their own language."""

    def format_value(self, value: Any) -> str | None:
        if isinstance(value, date):
            return _written(value)
        return _written(day) if (day := _read(str(value or ""))) else value

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        usual = {"placeholder": _written(date(2026, 12, 31)), "autocomplete": "off"}
        context["widget"]["attrs"] |= usual
        return context


def _written(day: date) -> str:
    return day.strftime(WRITTEN.get(get_language() or "en", OTHERS_WRITE))


def _read(text: str) -> date | None:
    for form in DAYS:
        with suppress(ValueError):
            return datetime.strptime(text.strip(), form).date()  # noqa: DTZ007
    return None


class DayField(forms.DateField):
    """A day that has a day before and after it in every time zone."""

    widget = DayInput
    default_validators = [
        MinValueValidator(date(1900, 1, 1)),
        MaxValueValidator(date(2999, 12, 31)),
    ]

    def __init__(self, **how: Any) -> None:
        super().__init__(input_formats=DAYS, **how)


class PlaceInput(forms.TextInput):
    """A place to type, with all of them to pick from: the browser searches the list."""

    def render(
        self, name: str, value: Any, attrs: Mapping[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        field = str((attrs or {}).get("id") or name)
        typed = super().render(name, value, {**(attrs or {}), "list": f"{field}-list"}, renderer)
        options = format_html_join(
            "\n",
            '<option value="{}">',
            ((place,) for place in places(get_language() or "").values()),
        )
        return format_html('{}<datalist id="{}-list">{}</datalist>', typed, field, options)


class PlaceField(forms.CharField):
    """A time zone by the name of its place in the language of the page."""

    widget = PlaceInput(
        attrs={"autocomplete": "off", "placeholder": _("Not chosen (UTC)"), "data-zone": ""}
    )
    default_error_messages = {"unknown": _("Choose a place from the list.")}

    def prepare_value(self, value: Any) -> Any:
        return place_of(value, get_language() or "") if value else value

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        if not text:
            return ""
        zone = zone_at(text, get_language() or "")
        if zone is None:
            raise forms.ValidationError(self.error_messages["unknown"], code="unknown")
        return zone
