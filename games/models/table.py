"""What happens at a table: the ordered moves, and what is said and asked beside them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.games import Game, Seat
from games.models.players import Player


class Move(models.Model):
    """One row of the game: who did what. `facts` is what the engine said happened."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    action = models.CharField(max_length=40)
    facts: models.JSONField[Any, Any] = models.JSONField(default=dict)
    at = models.DateTimeField()
    # Of a move that ended a turn: how long the clock of that turn ran, so that what is left on
    # it follows from the moves.
    ran = models.DurationField(null=True, blank=True)

    class Meta:
        ordering = ["game_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="move_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="move_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.action}"


class Hint(models.Model):
    """What the strongest bot would do in a player's place; worked out by the workers of bots."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="hint")
    on_move = models.PositiveIntegerField()
    # As for the turns of bots; None once there is an answer: the `action`, the `gain` that is to
    # be expected of it over the next best, in what the game counts, and of a game with a judge
    # the win `share` after it and after the best `other` choice, in points.
    due_at = models.DateTimeField(null=True, blank=True)
    answer: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="hint_due", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"hint for {self.seat} on move {self.on_move}"


class Message(models.Model):
    """A line of the table's chat: what a player says, or what happened to the player's seat."""

    class Event(models.TextChoices):
        TAKEN_OVER = "taken_over", _("a bot plays on")
        TAKEN_BACK = "taken_back", _("back at the table")
        VACATION = "vacation", _("a day of vacation was spent")
        HIDDEN = "hidden", _("a message was hidden")
        TIME = "time", _("time was granted")
        REMOVED = "removed", _("taken from the table")
        AWARDED = "awarded", _("game awarded")
        ANNULLED = "annulled", _("game annulled")

    game = models.ForeignKey(Game, models.CASCADE, related_name="messages")
    player = models.ForeignKey(Player, models.PROTECT, related_name="messages")
    text = models.CharField(max_length=500)
    event = models.CharField(max_length=10, choices=Event.choices, blank=True, editable=False)
    at = models.DateTimeField()
    # By a moderator: from then on nobody reads it, in whatever way.
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["game", "id"], name="message_of_game")]

    def __str__(self) -> str:
        # Lists of operators name it; what it says is for those who may read it.
        return f"line {self.pk} of {self.player}"
