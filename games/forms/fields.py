"""Fields that several forms share."""

from __future__ import annotations

from datetime import date

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator


class DayField(forms.DateField):
    """A day that has a day before and after it in every time zone."""

    default_validators = [
        MinValueValidator(date(1900, 1, 1)),
        MaxValueValidator(date(2999, 12, 31)),
    ]
