"""What the archive is narrowed down to."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.forms.fields import DayField
from games.models import Player
from games.selectors.archive import Wanted
from games.selectors.players import find_players
from games.selectors.rules import kinds_in_archive
from games.titles.completeness import offered

ANY = ("", _("Any"))


class ArchiveForm(forms.Form):
    """A name that nobody has is told; everything else that makes no sense is left out."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    player = forms.CharField(label=_("Player"), required=False, max_length=30)
    opponent = forms.CharField(label=_("Opponent"), required=False, max_length=30)
    size = forms.TypedChoiceField(label=_("Players"), required=False, coerce=int, empty_value=None)
    edition = forms.ChoiceField(label=_("Rules"), required=False)
    reason = forms.ChoiceField(label=_("Ended by"), required=False)
    rated = forms.ChoiceField(
        label=_("Rating"),
        required=False,
        choices=[ANY, ("yes", _("Rated")), ("no", _("Casual"))],
    )
    since = DayField(
        label=_("From"), required=False, widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    until = DayField(
        label=_("To"), required=False, widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )

    def __init__(self, *args: Any, owner: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        titles = offered()
        sizes = sorted({size for title in titles for size in title.seats})
        self._offer("game", [(title.key, title.name) for title in titles])
        self._offer("size", [(size, str(size)) for size in sizes])
        for name, kinds in kinds_in_archive().items():
            self._offer(name, kinds)
        if owner:
            del self.fields["player"]

    def _offer(self, name: str, choices: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [ANY, *choices]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        names = [cleaned[name] for name in ("player", "opponent") if cleaned.get(name)]
        found = find_players(names) if names else {}
        for field in ("player", "opponent"):
            name = cleaned.get(field)
            cleaned[field] = found.get(name) if name else None
            if name and not cleaned[field]:
                self.add_error(field, gettext("Nobody here is called %(name)s.") % {"name": name})
        if cleaned.get("opponent") and not (self.owner or cleaned.get("player")):
            cleaned["player"], cleaned["opponent"] = cleaned["opponent"], None
        return cleaned

    def wanted(self) -> Wanted | None:
        """None where nothing can be found."""
        self.is_valid()
        if self.errors.keys() & {"player", "opponent"}:
            return None
        chosen = self.cleaned_data
        fixed = {"ruleset": chosen.get("game") or None}
        for name in ("edition", "reason"):
            if chosen.get(name):
                ruleset, fixed[name] = chosen[name].split("/")
                if fixed["ruleset"] not in (None, ruleset):
                    return None
                fixed["ruleset"] = ruleset
        player = self.owner or chosen.get("player")
        if player and player == chosen.get("opponent"):
            return None
        return Wanted(
            player=player,
            opponent=chosen.get("opponent"),
            size=chosen.get("size"),
            rated={"yes": True, "no": False}.get(chosen.get("rated", "")),
            since=chosen.get("since"),
            until=chosen.get("until"),
            private_too=self.owner is not None,
            **fixed,
        )
