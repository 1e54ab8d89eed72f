"""The forms of the moderators' pages: one for each act. They call the services that act."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.forms.names import NAME_HELP, check_name
from games.models import Game, Message, Player
from games.selectors.players import find_player
from games.services.moderation import log, people, reports, talk, verdicts

DAYS = [(1, _("1 day")), (3, _("3 days")), (7, _("1 week")), (30, _("1 month")), (365, _("1 year"))]
HOURS = [(6, _("6 hours")), (24, _("1 day")), (72, _("3 days")), (168, _("1 week"))]


def reason_field(label: Any, longest: int) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=longest, widget=forms.Textarea({"rows": 2, "maxlength": longest})
    )


class ActForm(forms.Form):
    """A reason, whatever else an act asks for, and a button."""

    key: ClassVar[str]
    title: ClassVar[Any]
    about: ClassVar[Any] = ""

    reason = reason_field(_("Reason"), log.REASON_LENGTH)

    def __init__(self, target: Any, data: Any = None) -> None:
        self.target = target
        sent = data if data is not None and data.get("act") == self.key else None
        super().__init__(sent, auto_id=f"{self.key}-%s", label_suffix="")
        # Why comes last, after what.
        self.order_fields([name for name in self.fields if name != "reason"])

    def apply(self, moderator: Player, now: datetime) -> None:
        raise NotImplementedError

    def page(self) -> str:
        """Where to go on afterwards: whoever was renamed has another address."""
        raise NotImplementedError

    @property
    def said(self) -> str:
        reason: str = self.cleaned_data["reason"]
        return reason


class OnPlayer(ActForm):
    target: Player

    def page(self) -> str:
        return reverse("moderate_player", args=[self.target.username])

    def done(self) -> dict[str, Any]:
        return {"player": self.target, "reason": self.said}


class WarnForm(OnPlayer):
    key = "warn"
    title = _("Warn")

    def apply(self, moderator: Player, now: datetime) -> None:
        people.warn(moderator=moderator, now=now, **self.done())


class MuteForm(OnPlayer):
    key = "mute"
    title = _("Mute")
    about = _("No more lines in any chat, for so long.")

    days = forms.TypedChoiceField(label=_("For how long"), choices=DAYS, coerce=int)

    def apply(self, moderator: Player, now: datetime) -> None:
        until = now + timedelta(days=self.cleaned_data["days"])
        people.mute(moderator=moderator, until=until, now=now, **self.done())


class UnmuteForm(OnPlayer):
    key = "unmute"
    title = _("Let talk again")

    def apply(self, moderator: Player, now: datetime) -> None:
        people.unmute(moderator=moderator, now=now, **self.done())


class SuspendForm(OnPlayer):
    key = "suspend"
    title = _("Suspend")
    about = _(
        "Neither sign in nor play. Open games are given up; in games that have begun the clock "
        "runs on, and when it is down the seat leaves or a bot stands in, as the table agreed."
    )

    days = forms.TypedChoiceField(
        label=_("For how long"),
        choices=[*DAYS, ("", _("Until further notice"))],
        # The longest must be chosen.
        initial=DAYS[0][0],
        coerce=int,
        empty_value=None,
        required=False,
    )

    def apply(self, moderator: Player, now: datetime) -> None:
        days = self.cleaned_data["days"]
        until = now + timedelta(days=days) if days else None
        people.suspend(moderator=moderator, until=until, now=now, **self.done())


class ReinstateForm(OnPlayer):
    key = "reinstate"
    title = _("Let play again")

    def apply(self, moderator: Player, now: datetime) -> None:
        people.reinstate(moderator=moderator, now=now, **self.done())


class RenameForm(OnPlayer):
    key = "rename"
    title = _("Rename")
    about = _("The display name goes, too; the player may choose another one.")

    name = forms.CharField(label=_("New name"), min_length=2, max_length=30, help_text=NAME_HELP)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        check_name(name)
        if find_player(name):
            raise ValidationError(_("This name is taken."), code="taken")
        return name

    def apply(self, moderator: Player, now: datetime) -> None:
        name = self.cleaned_data["name"]
        people.rename(moderator=moderator, name=name, now=now, **self.done())


class TrustForm(OnPlayer):
    key = "trust"
    title = _("Write to this address again")
    about = _("Mail servers refused it for good; somebody knows better.")

    def apply(self, moderator: Player, now: datetime) -> None:
        people.trust_address(moderator=moderator, now=now, **self.done())


class HideForm(ActForm):
    key = "hide"
    title = _("Hide this message")
    about = _("Nobody will read it any more, on any page, in any mail.")
    target: Message

    def page(self) -> str:
        return reverse("moderation")

    def apply(self, moderator: Player, now: datetime) -> None:
        talk.hide(moderator=moderator, message_id=self.target.pk, reason=self.said, now=now)


class OnGame(ActForm):
    target: Game

    def page(self) -> str:
        return reverse("moderate_game", args=[self.target.public_id])

    def done(self) -> dict[str, Any]:
        return {"game_id": self.target.pk, "reason": self.said}


class TimeForm(OnGame):
    key = "time"
    title = _("Grant time")
    about = _("To whoever is to act, for this turn.")

    hours = forms.TypedChoiceField(label=_("How much"), choices=HOURS, coerce=int)

    def apply(self, moderator: Player, now: datetime) -> None:
        more = timedelta(hours=self.cleaned_data["hours"])
        verdicts.grant_time(moderator=moderator, more=more, now=now, **self.done())


class OneAtTheTable(OnGame):
    player = forms.ModelChoiceField(
        label=_("Player"), queryset=Player.objects.none(), to_field_name="username"
    )

    def __init__(self, target: Game, data: Any = None) -> None:
        super().__init__(target, data)
        field = self.fields["player"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Player.objects.filter(seats__game=target)
        self.seated = [
            (seat.player.username, str(seat.player))
            for seat in target.seats.all()
            if not seat.left_by or seat.stand_in_id
        ]
        field.widget.choices = self.seated


class RemoveForm(OneAtTheTable):
    key = "remove"
    title = _("Take from the table")
    about = _("The others play on; if only one is left, that one has won.")

    def apply(self, moderator: Player, now: datetime) -> None:
        player = self.cleaned_data["player"]
        verdicts.remove(moderator=moderator, player=player, now=now, **self.done())


class AwardForm(OneAtTheTable):
    key = "award"
    title = _("Award the game")
    about = _("All others leave, whoever is behind first. The game counts like any other.")

    def apply(self, moderator: Player, now: datetime) -> None:
        player = self.cleaned_data["player"]
        verdicts.award(moderator=moderator, player=player, now=now, **self.done())


class AnnulForm(OnGame):
    key = "annul"
    title = _("Annul the game")
    about = _("No result, no rating, no numbers, for nobody. Its moves can still be seen.")

    def apply(self, moderator: Player, now: datetime) -> None:
        verdicts.annul(moderator=moderator, now=now, **self.done())


def for_player(player: Player, now: datetime, data: Any = None) -> Sequence[ActForm]:
    """What can be done to a player now."""
    kinds: list[type[ActForm]] = [WarnForm]
    kinds.append(UnmuteForm if player.is_muted(now) else MuteForm)
    kinds.append(ReinstateForm if player.is_suspended(now) else SuspendForm)
    kinds.append(RenameForm)
    if player.refused_address:
        kinds.append(TrustForm)
    return [kind(player, data) for kind in kinds]


def for_game(game: Game, data: Any = None) -> Sequence[ActForm]:
    """What can be done to a game now."""
    kinds: list[type[ActForm]] = []
    if game.status == Game.Status.RUNNING:
        kinds += [TimeForm] if game.deadline else []
        kinds += [RemoveForm, AwardForm]
    if game.status in (Game.Status.RUNNING, Game.Status.OVER):
        kinds.append(AnnulForm)
    return [kind(game, data) for kind in kinds]


class ReportForm(forms.Form):
    text = reason_field(_("What is wrong?"), reports.TEXT_LENGTH)
