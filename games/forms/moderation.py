"""The forms of the moderators' pages: one for each act. They call the services that act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.forms.names import NAME_HELP, check_name
from games.models import Act, Game, Message, Player
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
    act: ClassVar[Callable[..., Act]]
    """The service that does it."""

    reason = reason_field(_("Reason"), log.REASON_LENGTH)

    def __init__(self, target: Any, data: Any = None) -> None:
        self.target = target
        sent = data if data is not None and data.get("act") == self.key else None
        super().__init__(sent, auto_id=f"{self.key}-%s", label_suffix="")
        # Why comes last, after what.
        self.order_fields([name for name in self.fields if name != "reason"])

    def apply(self, moderator: Player, now: datetime) -> None:
        reason = self.cleaned_data["reason"]
        self.act(moderator=moderator, reason=reason, now=now, **self.what(now))

    def what(self, now: datetime) -> dict[str, Any]:
        """To whom it is done, and how."""
        raise NotImplementedError

    def page(self) -> str:
        """Where to go on afterwards: whoever was renamed has another address."""
        raise NotImplementedError


class OnPlayer(ActForm):
    target: Player

    def page(self) -> str:
        return reverse("moderate_player", args=[self.target.username])

    def what(self, now: datetime) -> dict[str, Any]:
        return {"player": self.target}


class WarnForm(OnPlayer):
    key = "warn"
    title = _("Warn")
    act = staticmethod(people.warn)


class MuteForm(OnPlayer):
    key = "mute"
    title = _("Mute")
    about = _("No more lines in any chat, for so long.")
    act = staticmethod(people.mute)

    days = forms.TypedChoiceField(label=_("For how long"), choices=DAYS, coerce=int)

    def what(self, now: datetime) -> dict[str, Any]:
        return {**super().what(now), "until": now + timedelta(days=self.cleaned_data["days"])}


class UnmuteForm(OnPlayer):
    key = "unmute"
    title = _("Let talk again")
    act = staticmethod(people.unmute)


class SuspendForm(OnPlayer):
    key = "suspend"
    title = _("Suspend")
    about = _(
        "Neither sign in nor play. Open games are given up; in games that have begun the clock "
        "runs on, and when it is down the seat leaves or a bot stands in, as the table agreed."
    )
    act = staticmethod(people.suspend)

    days = forms.TypedChoiceField(
        label=_("For how long"),
        choices=[*DAYS, ("", _("Until further notice"))],
        # The longest must be chosen.
        initial=DAYS[0][0],
        coerce=int,
        empty_value=None,
        required=False,
    )

    def what(self, now: datetime) -> dict[str, Any]:
        days = self.cleaned_data["days"]
        return {**super().what(now), "until": now + timedelta(days=days) if days else None}


class ReinstateForm(OnPlayer):
    key = "reinstate"
    title = _("Let play again")
    act = staticmethod(people.reinstate)


class RenameForm(OnPlayer):
    key = "rename"
    title = _("Rename")
    about = _("The display name goes, too; the player may choose another one.")
    act = staticmethod(people.rename)

    name = forms.CharField(label=_("New name"), min_length=2, max_length=30, help_text=NAME_HELP)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        check_name(name, besides=self.target)
        if find_player(name) not in (None, self.target):
            raise ValidationError(_("This name is taken."), code="taken")
        return name

    def what(self, now: datetime) -> dict[str, Any]:
        return {**super().what(now), "name": self.cleaned_data["name"]}


class TrustForm(OnPlayer):
    key = "trust"
    title = _("Write to this address again")
    about = _("Mail servers refused it for good; somebody knows better.")
    act = staticmethod(people.trust_address)


class HideForm(ActForm):
    key = "hide"
    title = _("Hide this message")
    about = _("Nobody will read it any more, on any page, in any mail.")
    act = staticmethod(talk.hide)
    target: Message

    def page(self) -> str:
        return reverse("moderation")

    def what(self, now: datetime) -> dict[str, Any]:
        return {"message_id": self.target.pk}


class OnGame(ActForm):
    target: Game

    def page(self) -> str:
        return reverse("moderate_game", args=[self.target.public_id])

    def what(self, now: datetime) -> dict[str, Any]:
        return {"game_id": self.target.pk}


class TimeForm(OnGame):
    key = "time"
    title = _("Grant time")
    about = _("To whoever is to act, for this turn.")
    act = staticmethod(verdicts.grant_time)

    hours = forms.TypedChoiceField(label=_("How much"), choices=HOURS, coerce=int)

    def what(self, now: datetime) -> dict[str, Any]:
        return {**super().what(now), "more": timedelta(hours=self.cleaned_data["hours"])}


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

    def what(self, now: datetime) -> dict[str, Any]:
        return {**super().what(now), "player": self.cleaned_data["player"]}


class RemoveForm(OneAtTheTable):
    key = "remove"
    title = _("Take from the table")
    about = _("The others play on; if only one is left, that one has won.")
    act = staticmethod(verdicts.remove)


class AwardForm(OneAtTheTable):
    key = "award"
    title = _("Award the game")
    about = _("All others leave, whoever is behind first. The game counts like any other.")
    act = staticmethod(verdicts.award)


class AnnulForm(OnGame):
    key = "annul"
    title = _("Annul the game")
    about = _("No result, no rating, no numbers, for nobody. Its moves can still be seen.")
    act = staticmethod(verdicts.annul)


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
