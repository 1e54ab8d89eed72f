"""Play now: which game, against how many, and how strong."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.models import BotLevel
from games.selectors.rules import name_of, offered_rulesets


class PlayNowForm(forms.Form):
    game = forms.ChoiceField(label=_("Game"))
    opponents = forms.TypedChoiceField(label=_("Against"), coerce=int, initial=1)
    level = forms.ChoiceField(
        label=_("Strength"), choices=BotLevel.choices, initial=BotLevel.APPRENTICE
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rulesets = offered_rulesets()
        most = max(max(rules.seat_counts) for rules in rulesets) - 1
        game, opponents = self.fields["game"], self.fields["opponents"]
        assert isinstance(game, forms.ChoiceField)
        assert isinstance(opponents, forms.ChoiceField)
        game.choices = [(rules.key, name_of(rules)) for rules in rulesets]
        game.initial = rulesets[0].key
        opponents.choices = [
            (count, ngettext("%(n)d bot", "%(n)d bots", count) % {"n": count})
            for count in range(1, most + 1)
        ]
