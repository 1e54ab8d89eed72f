"""A decision of a real game for everybody, one a day, and what players answered."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q

from games.models.games import Game
from games.models.players import Player


class Puzzle(models.Model):
    """The decision before a move of a finished public game, in which one choice is clearly best."""

    day = models.DateField(unique=True)
    game = models.ForeignKey(Game, models.CASCADE, related_name="puzzles")
    number = models.PositiveIntegerField(help_text="of the move")
    # As it was judged when the puzzle was chosen: a later judge changes no answer.
    moment: models.JSONField[Any, Any] = models.JSONField()
    lead = models.PositiveIntegerField(help_text="over the second best, in millionths of a win")
    error = models.PositiveIntegerField(help_text="the standard error of the lead")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="puzzle_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="puzzle_of_a_move"),
        ]

    def __str__(self) -> str:
        return f"puzzle of {self.day}"


class PuzzleAnswer(models.Model):
    """The first answer of a player; it stands."""

    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="answers")
    player = models.ForeignKey(Player, models.CASCADE, related_name="puzzle_answers")
    action = models.CharField(max_length=40)
    is_solved = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["puzzle", "player"], name="puzzle_answer_once"),
        ]

    def __str__(self) -> str:
        return f"answer of {self.player} to {self.puzzle}"
