"""What players report, and what moderators did about it."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.players import Player
from games.models.table import Message


class AppendOnly(models.QuerySet["Act"]):
    """Rows are added and read. Whatever else there is to do is done by another row."""

    def update(self, **fields: Any) -> NoReturn:
        raise TypeError("the log of moderation is never changed")

    def delete(self) -> NoReturn:
        raise TypeError("nothing is ever taken out of the log of moderation")


class Act(models.Model):
    """A line of the moderators' log: who did what to whom, why and when."""

    class Kind(models.TextChoices):
        WARN = "warn", _("warned")
        MUTE = "mute", _("muted")
        UNMUTE = "unmute", _("may talk again")
        SUSPEND = "suspend", _("suspended")
        REINSTATE = "reinstate", _("may play again")
        RENAME = "rename", _("renamed")
        TRUST = "trust", _("address trusted again")
        HIDE = "hide", _("message hidden")
        TIME = "time", _("time granted")
        REMOVE = "remove", _("taken from the table")
        AWARD = "award", _("game awarded")
        ANNUL = "annul", _("game annulled")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    actor = models.ForeignKey(Player, models.PROTECT, related_name="+")
    # Whom it is done to; of what is done to a whole game, nobody.
    player = models.ForeignKey(
        Player, models.SET_NULL, null=True, blank=True, related_name="acts", db_index=False
    )
    game = models.ForeignKey(
        Game, models.SET_NULL, null=True, blank=True, related_name="acts", db_index=False
    )
    message = models.ForeignKey(
        Message, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    reason = models.CharField(max_length=500)
    # Until when it holds, and how much time was granted, where that makes sense.
    until = models.DateTimeField(null=True, blank=True)
    granted = models.DurationField(null=True, blank=True)
    # What somebody was called before; forgotten with the account, as the one thing ever is.
    was = models.CharField(max_length=61, blank=True)
    at = models.DateTimeField()

    objects = AppendOnly.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions = [("moderate", "Can moderate")]
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="act_has_a_reason"),
        ]
        indexes = [
            models.Index(fields=["player", "-at"], name="act_on_player"),
            models.Index(fields=["game", "-at"], name="act_on_game"),
            models.Index(fields=["-at"], name="act_log"),
        ]

    def __str__(self) -> str:
        return f"{self.player or self.game}: {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("the log of moderation is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("nothing is ever taken out of the log of moderation")


class Report(models.Model):
    """A player asks the moderators to look at somebody, or at what somebody wrote."""

    reporter = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="reports")
    message = models.ForeignKey(
        Message, models.CASCADE, null=True, blank=True, related_name="reports"
    )
    text = models.CharField(max_length=500)
    at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        Player, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )

    class Meta:
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "message"],
                name="report_of_message_once",
                condition=Q(closed_at=None, message__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["reporter", "player"],
                name="report_of_player_once",
                condition=Q(closed_at=None, message=None),
            ),
            models.CheckConstraint(
                condition=~Q(reporter=models.F("player")), name="report_somebody_else"
            ),
        ]
        indexes = [
            models.Index(fields=["-at"], name="report_open", condition=Q(closed_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.reporter} about {self.player}"
