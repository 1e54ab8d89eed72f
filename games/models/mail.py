"""What is to be told by mail, and whether it arrives."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.players import Player


class Notice(models.Model):
    """A mail that is to be sent: the outbox.

    `due_at` is when it goes out; for one that is being sent, when somebody else may try
    (its sender has died); None waits for the player's next digest.

    Most are about a game and are written when they are sent, in the reader's words. Some are
    for an address, whoever reads it (codes, words to the operators): those are written when
    they are queued, go out before all others, and are forgotten once they are of no more use.
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
        ADDRESS = "address", _("address check")
        PUZZLE = "puzzle", _("puzzle of the day")
        DIGEST = "digest", _("daily mail")
        ACCOUNT = "account", _("account")
        OPERATOR = "operator", _("word to the operators")

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        WITHDRAWN = "withdrawn", _("withdrawn")
        FAILED = "failed", _("failed")
        ELSEWHERE = "elsewhere", _("told without mail")

    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="notices"
    )
    address = models.EmailField(blank=True, default="", db_default="")
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="notices")
    # Together with player, game and kind: what this notice is about, once and for all. That about
    # a puzzle has its key here, and no game: which one it is from is part of the answer. That about
    # an invitation or a day of vacation has its key here, too.
    move_number = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    # When devices and webhooks are told, each by an errand; None: they are not, or have been.
    push_at = models.DateTimeField(null=True, blank=True)
    # Somebody waits for it in front of a page: it goes before all others.
    urgent = models.BooleanField(default=False, db_default=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    # What an address is to be told: may hold a code, so it is blank as soon as it can be.
    content: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=500, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "move_number", "kind"], name="notice_once"
            ),
            models.UniqueConstraint(
                fields=["player", "move_number", "kind"],
                name="notice_without_game_once",
                condition=Q(game=None),
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, address="") | Q(player=None) & ~Q(address=""),
                name="notice_has_one_reader",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="notice_due",
                condition=Q(state__in=["queued", "sending"], due_at__isnull=False),
            ),
            models.Index(
                fields=["push_at"], name="notice_push", condition=Q(push_at__isnull=False)
            ),
            models.Index(
                fields=["-urgent", "due_at"],
                name="notice_next",
                condition=Q(state__in=["queued", "sending"], due_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.player or 'an address'}"

    @property
    def reader(self) -> Player:
        """The player it is for, where it is not for an address."""
        assert self.player
        return self.player


class Breaker(models.Model):
    """Whether a channel takes what is sent. After too many refusals in a row it is held back."""

    channel = models.CharField(max_length=10, primary_key=True)
    refusals = models.PositiveIntegerField(default=0, help_text="in a row")
    since = models.DateTimeField(null=True, blank=True, help_text="the first of them")
    reason = models.CharField(max_length=500, blank=True)
    # Nothing is sent before; then one is tried, and everything else waits for what becomes of it.
    held_until = models.DateTimeField(null=True, blank=True)
    probes = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.channel}: {'held back' if self.held_until else 'works'}"


class Bounce(models.Model):
    """A mail that came back, or was refused in words that may be about its address."""

    address = models.EmailField()
    notice = models.OneToOneField(Notice, models.CASCADE, related_name="bounce")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["address", "at"], name="bounce_of_address")]

    def __str__(self) -> str:
        # Lists of operators name it; what servers say names addresses.
        return f"{self.notice}, came back"
