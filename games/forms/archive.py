"""What the archive is narrowed down to, as its address says it."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.forms.fields import DayField
from games.models import Player
from games.selectors.archive import ORDERS, Wanted
from games.selectors.players import find_players
from games.titles.completeness import offered

FLAG = [("yes", "yes")]
SUGGESTING = {"list": "names", "autocomplete": "off", "spellcheck": "false"}


class ArchiveForm(forms.Form):
    """A name that nobody has is told; everything else that makes no sense is left out.

    Chips change what is chosen from; the fields to write in are those that are shown.
    """

    player = forms.CharField(
        label=_("Player"), required=False, max_length=30, widget=forms.TextInput(SUGGESTING)
    )
    opponent = forms.CharField(
        label=_("Opponent"), required=False, max_length=30, widget=forms.TextInput(SUGGESTING)
    )
    since = DayField(label=_("From"), required=False)
    until = DayField(label=_("To"), required=False)
    notes = forms.CharField(label=_("In my notes"), required=False, max_length=60)
    game = forms.ChoiceField(required=False, widget=forms.HiddenInput)
    size = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, widget=forms.HiddenInput
    )
    edition = forms.RegexField(r"\A[^/]+/[^/]+\Z", required=False, widget=forms.HiddenInput)
    reason = forms.RegexField(r"\A[^/]+/[^/]+\Z", required=False, widget=forms.HiddenInput)
    rated = forms.ChoiceField(
        required=False, choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput
    )
    year = forms.IntegerField(
        required=False, min_value=1900, max_value=2999, widget=forms.HiddenInput
    )
    who = forms.ChoiceField(
        required=False, choices=[("people", ""), ("bots", "")], widget=forms.HiddenInput
    )
    close = forms.ChoiceField(required=False, choices=FLAG, widget=forms.HiddenInput)
    comeback = forms.ChoiceField(required=False, choices=FLAG, widget=forms.HiddenInput)
    seat = forms.IntegerField(required=False, min_value=1, max_value=4, widget=forms.HiddenInput)
    place = forms.IntegerField(required=False, min_value=1, max_value=4, widget=forms.HiddenInput)
    opening = forms.CharField(required=False, max_length=160, widget=forms.HiddenInput)
    starred = forms.ChoiceField(required=False, choices=FLAG, widget=forms.HiddenInput)
    order = forms.ChoiceField(
        required=False, choices=[(name, name) for name in ORDERS], widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, owner: Player | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        titles = offered()
        self._offer("game", [title.key for title in titles])
        self._offer("size", sorted({size for title in titles for size in title.seats}))
        for name in ("player",) if owner else ("notes", "starred", "seat", "place", "opening"):
            del self.fields[name]

    def _offer(self, name: str, values: Any) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(value, str(value)) for value in values]

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
        year = chosen.get("year")
        first, last = (date(year, 1, 1), date(year, 12, 31)) if year else (None, None)
        player = self.owner or chosen.get("player")
        if player and player == chosen.get("opponent"):
            return None
        return Wanted(
            player=player,
            opponent=chosen.get("opponent"),
            size=chosen.get("size"),
            rated={"yes": True, "no": False}.get(chosen.get("rated", "")),
            since=chosen.get("since") or first,
            until=chosen.get("until") or last,
            private_too=self.owner is not None,
            close=bool(chosen.get("close")),
            comeback=bool(chosen.get("comeback")),
            bots={"bots": True, "people": False}.get(chosen.get("who", "")),
            seat=chosen["seat"] - 1 if chosen.get("seat") else None,
            place=chosen.get("place"),
            starred=bool(chosen.get("starred")),
            notes=chosen.get("notes", ""),
            opening=chosen.get("opening", ""),
            order=ORDERS[chosen.get("order") or "newest"],
            **fixed,
        )
