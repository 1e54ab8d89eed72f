"""Where people are reached beside mail: their devices, addresses of their choice, and what is
on its way there."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.mail import Notice
from games.models.players import Player


class Device(models.Model):
    """A browser that its player lets us push notices to; the address is its push service's."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="devices")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=40)
    name = models.CharField(max_length=80, blank=True)
    made_at = models.DateTimeField()
    reached_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=200, blank=True)
    # The session that added it; see services.sessions. Empty for those older than this column.
    session_mark = models.CharField(
        max_length=43, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name or str(_("A device"))


class Webhook(models.Model):
    """An address that is told of turns: those of its owner, or all at one table."""

    class Format(models.TextChoices):
        STANDARD = "standard", _("Standard Webhooks")
        DISCORD = "discord", _("Discord")
        SLACK = "slack", _("Slack, Mattermost, Rocket.Chat")

    owner = models.ForeignKey(Player, models.CASCADE, related_name="webhooks")
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="webhooks")
    url = models.URLField(max_length=500)
    format = models.CharField(max_length=8, choices=Format.choices)
    secret = models.CharField(max_length=80, editable=False)
    mentions = models.TextField(blank=True, max_length=1000)
    made_at = models.DateTimeField()
    # It outlived the owner's other ways in, and the owner has not said yet whether to keep it.
    in_question = models.BooleanField(default=False, db_default=False, editable=False)
    # Why it was switched off, and when; a working one has neither.
    off_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.get_format_display()

    def __repr__(self) -> str:
        # Addresses of chats are secrets themselves.
        return f"<Webhook {self.pk}>"


class Errand(models.Model):
    """Something to be told to one device or one webhook: the outbox beside mail.

    Due, claimed and tried again by the rules of notices; see services.reach.errands.
    """

    class Kind(models.TextChoices):
        TURN = "turn", _("your turn")
        HALF = "half", _("reminder: half of the time is gone")
        LAST = "last", _("reminder: the last fifth of the time")
        AFTER_3 = "after_3", _("reminder: no clock, three days")
        AFTER_7 = "after_7", _("reminder: no clock, seven days")
        GO_ON = "go_on", _("reminder: the others may soon go on")
        STARTED = "started", _("game started")
        OVER = "over", _("game over")
        INVITATION = "invitation", _("invitation")
        DECLINED = "declined", _("invitation declined")
        EXPIRED = "expired", _("invitation expired")
        MESSAGE = "message", _("message in chat")
        SEAT_LOST = "seat_lost", _("seat lost")
        VACATION = "vacation", _("day of vacation spent")
        CLOSE = "close", _("notice taken back")
        TEST = "test", _("test")

    State = Notice.State

    device = models.ForeignKey(
        Device, models.CASCADE, null=True, blank=True, related_name="errands"
    )
    webhook = models.ForeignKey(
        Webhook, models.CASCADE, null=True, blank=True, related_name="errands"
    )
    notice = models.ForeignKey(
        Notice, models.CASCADE, null=True, blank=True, related_name="errands"
    )
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="+")
    move_number = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(
        max_length=9, choices=Notice.State.choices, default=Notice.State.QUEUED
    )
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # What a webhook is told, the same at every try.
    content: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True, editable=False)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="of the answer")
    took_ms = models.PositiveIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    shown = models.BooleanField(default=False, help_text="on the device, until the turn is over")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(device=None, webhook__isnull=False)
                | Q(device__isnull=False, webhook=None),
                name="errand_goes_somewhere",
            ),
            models.UniqueConstraint(fields=["device", "notice"], name="errand_to_device_once"),
            models.UniqueConstraint(
                fields=["webhook", "game", "move_number", "kind"], name="errand_to_webhook_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="errand_due",
                condition=Q(state__in=["queued", "sending"], due_at__isnull=False),
            ),
            models.Index(fields=["game"], name="errand_shown", condition=Q(shown=True)),
            models.Index(fields=["webhook", "-id"], name="errand_log"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.device or self.webhook}"
