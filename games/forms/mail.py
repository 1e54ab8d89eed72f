"""What players choose about mail, quiet hours and vacations."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.forms.accounts import SettingsSection
from games.forms.fields import DayField
from games.models import Player, Seat
from games.selectors.clock import zone_of
from games.services import rhythm, vacation
from games.services.errors import Refused
from games.services.notices import subscriptions

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class MailSection(SettingsSection):
    key = "mail"
    title = _("Mail")

    mail = forms.ChoiceField(
        label=_("When it is your turn"), choices=Player.Mail.choices, widget=forms.RadioSelect
    )
    digest_hour = forms.TypedChoiceField(
        label=_("Hour of the daily mail"), choices=HOURS, coerce=int, help_text=_("Your time.")
    )
    reminders = forms.BooleanField(
        label=_("Remind me before my time runs out"),
        required=False,
        help_text=_(
            "When half of it is gone, and in the last fifth. One email a day has them in it; "
            "if that would come too late, the last reminder comes by itself. Without a clock: "
            "after 3 days, after 7, and 2 days before the others may go on without you."
        ),
    )

    puzzle_mail = forms.BooleanField(
        label=_("Send me the puzzle of the day"),
        required=False,
        help_text=_("A position from a real game, every day for which there is one."),
    )

    def apply(self) -> None:
        chosen = dict(self.cleaned_data)
        puzzles = chosen.pop("puzzle_mail")
        subscriptions.change_wishes(player=self.player, **chosen, now=timezone.now())
        subscriptions.wish_for_puzzles(player=self.player, wanted=puzzles)


class QuietSection(SettingsSection):
    key = "quiet"
    title = _("Quiet hours")

    quiet_from = forms.TimeField(
        label=_("From"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    quiet_to = forms.TimeField(
        label=_("Until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text=_(
            "Your time, up to ten hours a day: no mail comes, and your clocks stand still. "
            "Between two pauses a clock runs for at least 14 hours. Empty: none."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_to") is None):
            raise forms.ValidationError(gettext("Quiet hours have a beginning and an end."))
        try:
            rhythm.check_quiet_hours(_window(cleaned))
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return cleaned

    def apply(self) -> None:
        quiet = _window(self.cleaned_data)
        rhythm.change_quiet_hours(player=self.player, quiet=quiet, now=timezone.now())


def _window(cleaned: dict[str, Any]) -> tuple[time, time] | None:
    begin, end = cleaned.get("quiet_from"), cleaned.get("quiet_to")
    return (begin, end) if begin is not None and end is not None else None


class AutoVacationSection(SettingsSection):
    key = "auto-vacation"
    title = _("When my time runs out")

    auto_vacation = forms.BooleanField(
        label=_("Spend a day of vacation instead of losing the seat"),
        required=False,
        help_text=_(
            "Again and again, as long as you have vacation left this year, for at most 30 days "
            "in a row. With quiet hours, a silent player is waited for up to 42 days and a half."
        ),
    )

    def apply(self) -> None:
        vacation.choose_automatic(player=self.player, **self.cleaned_data)


class VacationForm(forms.Form):
    first = DayField()
    last = DayField()

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def span(self) -> tuple[datetime, datetime]:
        """From the first midnight to the one after the last day, in the player's zone."""
        return (
            self._midnight(self.cleaned_data["first"]),
            self._midnight(self.cleaned_data["last"] + timedelta(days=1)),
        )

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), zone_of(self.player))


class GameMailForm(forms.Form):
    mail = forms.ChoiceField(label=_("Mail about this game"), choices=Seat.Mail.choices)


SECTIONS: tuple[type[SettingsSection], ...] = (MailSection, QuietSection, AutoVacationSection)
