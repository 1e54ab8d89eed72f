"""What players choose about devices, webhooks and ways of being told."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Game, Player, Webhook
from games.selectors import reach
from games.services.notices.wishes import Way

LABELS = {
    "turn": _("Your turn"),
    "reminder": _("Reminders before your time runs out"),
    "game": _("A game has started or ended, a seat was lost, or a day of vacation spent"),
    "invitation": _("Invitations, and answers to yours"),
    "message": _("Messages at the table"),
}


class WaysForm(forms.Form):
    """A choice for each kind of notice."""

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "label_suffix": ""})
        chosen = player.channels or {}
        for group, label in LABELS.items():
            self.fields[group] = forms.ChoiceField(
                label=label, choices=Way.choices, initial=chosen.get(group, Way.UNLESS)
            )


class DeviceForm(forms.Form):
    """What a browser says about itself."""

    endpoint = forms.CharField(max_length=1000)
    p256dh = forms.CharField(max_length=120)
    auth = forms.CharField(max_length=40)


class WebhookForm(forms.ModelForm):
    url = forms.URLField(
        label=_("Address"),
        max_length=500,
        assume_scheme="https",
        help_text=_("Starts with https:// and is given to you by your chat."),
    )
    format = forms.ChoiceField(label=_("Format"), choices=Webhook.Format.choices)
    game = forms.ChoiceField(label=_("What is told"), required=False)

    class Meta:
        model = Webhook
        fields = ["url", "format", "mentions"]
        labels = {"mentions": _("Mentions")}
        help_texts = {
            "mentions": _(
                "Whom the chat calls: your number or name there, or a line for each player, "
                "such as “yasmin = 123456”."
            ),
        }
        widgets = {"mentions": forms.Textarea(attrs={"rows": 2, "spellcheck": "false"})}

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "label_suffix": ""})
        self.tables = reach.tables_of(player)
        field = self.fields["game"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", _("My own turns, in all games")),
            *(
                (address, _("All turns at the table %(game)s") % {"game": reach.table_name(game)})
                for address, game in self.tables.items()
            ),
        ]
        self.order_fields(["url", "format", "game", "mentions"])

    def clean_game(self) -> Game | None:
        return self.tables.get(self.cleaned_data["game"])
