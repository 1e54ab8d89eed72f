"""The lucky word in a form, where it came from, and the commitment that came before it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models import LUCKY_WORD
from games.services import commitments
from games.services.luck import lucky_word, was_offered


class LuckyWordInput(forms.TextInput):
    """Says whether the server made the word that is shown: a script puts one of its own there."""

    def __init__(self) -> None:
        super().__init__({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"})

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        context["widget"]["attrs"]["data-offered"] = was_offered(str(value))
        return context


class LuckyWordField(forms.CharField):
    def __init__(self, *, required: bool = True) -> None:
        super().__init__(
            required=required,
            label=_("Your lucky word"),
            max_length=32,
            initial=lucky_word,
            validators=[LUCKY_WORD],
            help_text=_(
                "It is mixed into every roll of the dice. Keep this one or write your own."
            ),
            widget=LuckyWordInput,
        )


def hidden_field(**how: Any) -> forms.CharField:
    # Without id: several forms of a page carry it.
    return forms.CharField(required=False, widget=forms.HiddenInput({"id": False}), **how)


class JoinForm(forms.Form):
    entropy = LuckyWordField()
    drawn_word = hidden_field()


class WordForm(forms.Form):
    """For games that start with one click: the word may be left to Souk."""

    entropy = LuckyWordField(required=False)
    drawn_word = hidden_field()
    ticket = hidden_field()


def ticket_of_now() -> str:
    return commitments.new_ticket(now=timezone.now())


class CommittedForm(forms.Form):
    """For opening a game: it carries the commitment to a seed, made before the word is known."""

    entropy = LuckyWordField()
    drawn_word = hidden_field()
    ticket = hidden_field(initial=ticket_of_now)

    @property
    def commitment(self) -> str:
        return commitments.commitment_of(self["ticket"].value() or "")

    def commit_again(self, *, now: datetime) -> None:
        """A form that is shown once more keeps its commitment. Where that cannot be used any more
        there is a new one, and a new word: the server has seen the old one before it."""
        ticket = self.data.get("ticket", "")
        if not self.is_bound or commitments.is_valid(ticket, now=now):
            return
        word = self.data.get("entropy", "")
        assert isinstance(self.data, QueryDict)
        self.data = self.data.copy()
        self.data["ticket"] = commitments.new_ticket(now=now)
        self.data["entropy"], self.data["drawn_word"] = lucky_word(), ""
        self.add_error(
            None,
            gettext(
                "The form has a new commitment now. All you filled in is still there except your "
                "lucky word: Souk knows “%(word)s” already, so there is a new one."
            )
            % {"word": word}
            if word
            else gettext("The form has a new commitment now. All you filled in is still there."),
        )
