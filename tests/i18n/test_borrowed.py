"""Texts of Django that our catalogues say in our own tone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django import forms
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.timesince import timesince

from games.borrowed import TEXTS
from games.moments import time_left

FORMAL_ROMANIAN = ("ți o", "ți un", "Asigura", "Introduce", "Selecta", "Verifica")
OTHERS = ["ru", "pl", "ro", "zh-hant"]


class Asking(forms.Form):
    day = forms.DateField()
    email = forms.EmailField()
    word = forms.CharField(max_length=3)
    kind = forms.ChoiceField(choices=[("a", "a")])


@pytest.mark.parametrize("code", OTHERS)
def test_a_borrowed_text_is_translated(code: str) -> None:
    with translation.override(code):
        assert [text for text in TEXTS if translation.gettext(text) == text] == []


def test_romanian_forms_speak_to_a_friend():
    with translation.override("ro"):
        form = Asking({"day": "x", "email": "x", "word": "long", "kind": "b"})
        said = [str(error) for errors in form.errors.values() for error in errors]
        said += [str(error) for errors in Asking({}).errors.values() for error in errors]
    assert len(said) == 8
    assert [each for each in said if any(word in each for word in FORMAL_ROMANIAN)] == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ro", "Parola e prea scurtă. Trebuie să aibă cel puțin 8 caractere."),
        ("pl", "To hasło jest za krótkie. Musi mieć co najmniej 8 znaków."),
        ("ru", "Этот пароль слишком короткий. В нём должно быть не меньше 8 символов."),
        ("zh-hant", "密碼太短。至少要有 8 個字元。"),
    ],
)
def test_a_short_password_is_refused_in_the_language_of_the_reader(code: str, said: str) -> None:
    with translation.override(code), pytest.raises(ValidationError) as refused:
        MinimumLengthValidator(8).validate("souk")
    assert refused.value.messages == [said]


def test_lengths_of_time_are_said_as_everywhere_else():
    """Django's Chinese has other words for days and minutes than ours."""
    start = datetime(2026, 11, 16, tzinfo=UTC)
    for length in (timedelta(days=3), timedelta(hours=5), timedelta(minutes=12)):
        for code in ("ru", "pl", "ro", "zh-hant"):
            with translation.override(code):
                said = timesince(start, start + length).replace("\xa0", " ")
                assert said == time_left(start + length, start)
