"""Play now: which game, against how many, and how strong."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from games.forms.words import CommittedForm
from games.models import BotLevel
from games.titles.completeness import offered


class PlayNowForm(CommittedForm):
    """The games that have bots; without any, there is nothing to choose from."""

    game = forms.ChoiceField(label=_("Game"))
    opponents = forms.TypedChoiceField(label=_("Against"), coerce=int, initial=1)
    level = forms.ChoiceField(label=_("Strength"))

    field_order = ("game", "opponents", "level")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entropy"].required = False
        titles = [title for title in offered() if title.bot_levels]
        levels = {level for title in titles for level in title.bot_levels}
        most = max((max(title.seats) for title in titles), default=1) - 1
        game, opponents, level = (self.fields[name] for name in ("game", "opponents", "level"))
        assert isinstance(game, forms.ChoiceField)
        assert isinstance(opponents, forms.ChoiceField)
        assert isinstance(level, forms.ChoiceField)
        game.choices = [(title.key, str(title.name)) for title in titles]
        game.initial = titles[0].key if titles else None
        level.initial = BotLevel.APPRENTICE
        level.choices = [(each.value, each.label) for each in BotLevel if each in levels]
        opponents.choices = [
            (count, ngettext("%(n)d bot", "%(n)d bots", count) % {"n": count})
            for count in range(1, most + 1)
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "opponents" in cleaned:
            cleaned["size"] = cleaned["opponents"] + 1
        return cleaned

    @property
    def edition(self) -> str:
        """Of the game that was chosen, the one in the language of the page."""
        chosen = next(t for t in offered() if t.key == self.cleaned_data["game"])
        return chosen.edition_in(get_language() or "")
