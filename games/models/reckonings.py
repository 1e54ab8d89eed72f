"""What a judge said of finished games, move by move."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q

from games.models.games import Game, Seat
from games.models.players import Player


class Reckoning(models.Model):
    """The values of all decisions and rolls of one finished game, of this house or of a record
    from outside. All else that is shown of it follows from them."""

    class State(models.TextChoices):
        WAITING = "waiting"
        FIRST = "first"
        DONE = "done"
        FAILED = "failed"

    game = models.OneToOneField(
        Game, models.CASCADE, null=True, blank=True, related_name="reckoning"
    )
    # Of a record from outside: its text, and the hash that it is known by.
    record = models.TextField(blank=True)
    digest = models.CharField(max_length=64, null=True, blank=True, unique=True)

    # What the values follow from, together with the moves: older versions are kept as they are.
    version = models.CharField(max_length=60)
    seed = models.PositiveBigIntegerField()
    moments: models.JSONField[Any, Any] = models.JSONField(default=list)

    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    looked_at = models.PositiveIntegerField(default=0, help_text="moves, with all due care")
    # As for the turns of bots; None once there is nothing more to do.
    due_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    # When its numbers were entered in the books: the order in which a rebuild enters them again.
    entered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(game=None, digest__isnull=False) | Q(game__isnull=False, digest=None),
                name="reckoning_of_a_game_or_a_record",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="reckoning_due", condition=Q(due_at__isnull=False)
            ),
            models.Index(
                fields=["state"],
                name="reckoning_unentered",
                condition=Q(entered_at=None, game__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"reckoning of {self.game or self.digest}"


class Performance(models.Model):
    """What the reckoning of a game says of one player in it, in millionths of a win. Books, like
    all that follows from finished games."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="performance")
    player = models.ForeignKey(Player, models.CASCADE, related_name="performances", db_index=False)
    ruleset = models.CharField(max_length=20)
    size = models.PositiveSmallIntegerField()
    public = models.BooleanField()
    ended_at = models.DateTimeField()

    start = models.IntegerField(help_text="the win share before the first move")
    result = models.IntegerField()
    luck = models.IntegerField()
    decisions = models.PositiveIntegerField(help_text="of one's own, with a choice")
    lost = models.IntegerField(help_text="by all of them")
    # By seat, what this player gave, and how often a mistake was somebody's favourite.
    gifts: models.JSONField[Any, Any] = models.JSONField()
    favours: models.JSONField[Any, Any] = models.JSONField()

    class Meta:
        indexes = [
            models.Index(fields=["player", "ruleset", "-ended_at"], name="performance_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.seat.game_id}"


class Bond(models.Model):
    """Two players whose mistakes please each other more than the lot explains. For moderators to
    look at; nothing follows from it by itself."""

    low = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False)
    high = models.ForeignKey(Player, models.CASCADE, related_name="+")
    ruleset = models.CharField(max_length=20)
    games = models.PositiveIntegerField()
    chance = models.FloatField(help_text="of so many favours by lot")
    favours = models.FloatField(help_text="a game, beyond what is usual")
    gifts = models.FloatField(help_text="a game, in points of win share")
    usual = models.FloatField(help_text="the same to others at these tables")
    found_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["low", "high", "ruleset"], name="bond_once"),
        ]

    def __str__(self) -> str:
        return f"{self.low} and {self.high} in {self.ruleset}"
