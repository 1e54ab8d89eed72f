"""Opening and joining a game; the services have the last word on everything."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from games.engine.errors import BadOptions
from games.forms.words import CommittedForm
from games.models import BotLevel, Game, Player
from games.selectors.lobby import Filters
from games.selectors.players import find_players
from games.sentences import listed
from games.titles.completeness import offered
from games.titles.manifest import CUSTOM, Title

OPTION = "option-"
"""What the names of a ruleset's own fields start with."""

BOTS = "bots"
PRESETS: dict[str, dict[str, str]] = {
    "friend": {"visibility": Game.Visibility.LINK, "pace": Game.Pace.DAILY, "rated": "no"},
    "open": {"visibility": Game.Visibility.PUBLIC, "pace": Game.Pace.DAILY, "rated": "yes"},
    BOTS: {
        "visibility": Game.Visibility.LINK,
        "pace": Game.Pace.NONE,
        "rated": "no",
        "fill_level": BotLevel.APPRENTICE,
    },
}
"""The usual ways to a game, each of which is one press; all else is chosen one by one."""

SPELLED = {"true": True, "false": False}


class NewGameForm(CommittedForm):
    """One form for every ruleset: the fields of its options are in its own template."""

    size = forms.TypedChoiceField(label=_("Players"), coerce=int)
    edition = forms.ChoiceField(label=_("Rules"), required=False)
    pace = forms.ChoiceField(label=_("Pace"), choices=Game.Pace.choices, initial=Game.Pace.DAILY)
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        choices=Game.Visibility.choices,
        initial=Game.Visibility.PUBLIC,
    )
    invited = forms.CharField(
        label=_("Names of the players"),
        required=False,
        max_length=200,
        help_text=_("The names they sign in with, separated by commas."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    rated = forms.TypedChoiceField(
        label=_("Rating"),
        choices=[("yes", _("Rated")), ("no", _("Casual"))],
        coerce=lambda value: value == "yes",
        initial="yes",
    )
    on_timeout = forms.ChoiceField(
        label=_("When somebody's time runs out"),
        initial=Game.OnTimeout.LEAVE,
        required=False,
    )
    fill_level = forms.ChoiceField(
        label=_("Empty seats"),
        required=False,
    )

    def __init__(
        self, data: QueryDict | None = None, *, title: Title, preset: str = "", **kwargs: Any
    ) -> None:
        if data is not None and preset in PRESETS:
            data = data.copy()
            data.update(PRESETS[preset])
        super().__init__(data, **kwargs)
        # One press brings a word only where a script drew one.
        self.fields["entropy"].required = preset not in PRESETS
        self.preset = preset
        self.title, self.rules = title, title.rules
        editions = [*self.rules.presets, CUSTOM]
        self._choices("size").choices = [(size, str(size)) for size in title.seats]
        self._choices("edition").choices = [
            (edition, title.edition(edition).name) for edition in editions
        ]
        self._choices("on_timeout").choices = [
            each
            for each in Game.OnTimeout.choices
            if title.bot_levels or each[0] != Game.OnTimeout.BOT
        ]
        bots = [each for each in BotLevel.choices if each[0] in title.bot_levels]
        self._choices("fill_level").choices = [("", _("Wait for people")), *bots]
        self.fields["size"].initial = title.seats[0]
        self.fields["edition"].initial = title.edition_in(get_language() or "")

    def _choices(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field

    @property
    def option_values(self) -> dict[str, Any]:
        """The options to show as chosen: those sent, or the default ones."""
        sent = self._sent_options() if self.is_bound else {}
        return {**self.rules.options({}), **sent}

    def clean_invited(self) -> list[Player]:
        names = [name for name in re.split(r"[\s,;，；、]+", self.cleaned_data["invited"]) if name]
        if self.data.get("visibility") != Game.Visibility.NAMED:
            return []
        found = find_players(names)
        unknown = [name for name in names if name not in found]
        if unknown:
            raise forms.ValidationError(
                gettext("Nobody here is called %(names)s.") % {"names": listed(unknown)}
            )
        return [found[name] for name in names]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        edition = cleaned.get("edition") or self.fields["edition"].initial
        if edition == CUSTOM:
            try:
                cleaned["options"] = dict(self.rules.options(self._sent_options()))
            except BadOptions:
                self.add_error("edition", gettext("These rule options do not exist."))
        else:
            cleaned["options"] = dict(self.rules.presets[edition])
        cleaned["edition"] = edition
        if cleaned.get("pace") == Game.Pace.NONE or cleaned.get("fill_level"):
            # The form says so beside these; the service would refuse a rated game.
            cleaned["rated"] = False
        cleaned["on_timeout"] = cleaned.get("on_timeout") or Game.OnTimeout.LEAVE
        return cleaned

    def _sent_options(self) -> dict[str, Any]:
        return {
            name.removeprefix(OPTION): SPELLED.get(value, value)
            for name, value in self.data.items()
            if name.startswith(OPTION)
        }


class FilterForm(forms.Form):
    """What the lobby is narrowed down to; what makes no sense is left out."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    size = forms.TypedChoiceField(label=_("Players"), required=False, coerce=int, empty_value=None)
    pace = forms.ChoiceField(
        label=_("Pace"), required=False, choices=[("", _("Any")), *Game.Pace.choices]
    )
    rated = forms.ChoiceField(
        label=_("Rating"),
        required=False,
        choices=[("", _("Any")), ("yes", _("Rated")), ("no", _("Casual"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = offered()
        sizes = sorted({size for title in titles for size in title.seats})
        game, size = self.fields["game"], self.fields["size"]
        assert isinstance(game, forms.ChoiceField)
        assert isinstance(size, forms.ChoiceField)
        game.choices = [("", _("Any")), *((title.key, title.name) for title in titles)]
        size.choices = [("", _("Any")), *((each, str(each)) for each in sizes)]

    def filters(self) -> Filters:
        self.is_valid()
        chosen = self.cleaned_data
        return Filters(
            ruleset=chosen.get("game") or None,
            size=chosen.get("size"),
            pace=chosen.get("pace") or None,
            rated={"yes": True, "no": False}.get(chosen.get("rated", "")),
        )
