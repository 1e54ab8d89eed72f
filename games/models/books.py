"""What follows from finished games alone: counted in the transaction that ends a game, and
rebuilt from the moves by `manage.py recompute_statistics --rebuild`."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q

from games.models.games import Game
from games.models.players import Player


class Shelf(models.Model):
    """Finished games of one kind. There are few kinds however many games there are, so any
    filter of the archive is a handful of shelves, each in order of time."""

    ruleset = models.CharField(max_length=20)
    size = models.PositiveSmallIntegerField()
    edition = models.CharField(max_length=40, blank=True)
    rated = models.BooleanField()
    reason = models.CharField(max_length=20)
    public = models.BooleanField()

    games = models.PositiveIntegerField(default=0)
    sums: models.JSONField[Any, Any] = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "shelves"
        constraints = [
            models.UniqueConstraint(
                fields=["ruleset", "size", "edition", "rated", "reason", "public"],
                name="shelf_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} for {self.size}, {self.edition}, {self.reason}"


class Tally(models.Model):
    """What a player did in the games of one shelf: sums and highest values by name."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="tallies", db_index=False)
    shelf = models.ForeignKey(Shelf, models.CASCADE, related_name="tallies")
    games = models.PositiveIntegerField(default=0)
    sums: models.JSONField[Any, Any] = models.JSONField(default=dict)
    peaks: models.JSONField[Any, Any] = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "tallies"
        constraints = [
            models.UniqueConstraint(fields=["player", "shelf"], name="tally_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.games} games of {self.shelf}"


class Rivalry(models.Model):
    """Two players across the games of one shelf; `low` has the lower number of the two."""

    low = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False)
    high = models.ForeignKey(Player, models.CASCADE, related_name="+")
    shelf = models.ForeignKey(Shelf, models.CASCADE, related_name="+")
    games = models.PositiveIntegerField(default=0)
    low_ahead = models.PositiveIntegerField(default=0)
    high_ahead = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "rivalries"
        constraints = [
            models.UniqueConstraint(fields=["low", "high", "shelf"], name="rivalry_once"),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="rivalry_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.low} and {self.high}: {self.games} games"


class Meeting(models.Model):
    """One finished game of two players who sat at the same table."""

    rivalry = models.ForeignKey(Rivalry, models.CASCADE, related_name="meetings", db_index=False)
    game = models.ForeignKey(Game, models.CASCADE, related_name="+")
    ended_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["rivalry", "-ended_at", "-game"], name="meeting_of_two")]

    def __str__(self) -> str:
        return f"{self.rivalry} in {self.game}"


class Opponent(models.Model):
    """A player as somebody else met them, in all games, or in public ones alone."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="opponents", db_index=False)
    other = models.ForeignKey(Player, models.CASCADE, related_name="+")
    public = models.BooleanField()
    games = models.PositiveIntegerField(default=0)
    ahead = models.PositiveIntegerField(default=0, help_text="games in which the player was")
    behind = models.PositiveIntegerField(default=0)
    met_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "other", "public"], name="opponent_once"),
        ]
        indexes = [
            models.Index(fields=["player", "public", "-games", "other"], name="opponent_by_games"),
            models.Index(fields=["player", "public", "-met_at", "other"], name="opponent_by_time"),
            models.Index(fields=["player", "public", "-ahead", "other"], name="opponent_by_ahead"),
            models.Index(
                fields=["player", "public", "-behind", "other"], name="opponent_by_behind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} against {self.other}: {self.games} games"


class Rating(models.Model):
    """How strong a player is in one game, and how sure that is."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", db_index=False)
    ruleset = models.CharField(max_length=20)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0, help_text="rated ones")
    timeouts = models.PositiveIntegerField(default=0, help_text="rated ones lost so, in a row")
    late_since = models.DateTimeField(
        null=True,
        help_text="when the time ran out that cost rating; games that ran then are spared",
    )
    streak = models.PositiveIntegerField(default=0, help_text="public games won in a row")
    best_streak = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(
        null=True, help_text="when the last game that counts here ended"
    )
    # Beside it, and used for nothing yet: how strong without luck, by judged games.
    strength = models.FloatField(default=0.0, db_default=0.0)
    doubt = models.FloatField(default=1.0, db_default=1.0)
    judged = models.PositiveIntegerField(
        default=0, db_default=0, help_text="games that the strength follows from"
    )
    judged_at = models.DateTimeField(null=True, help_text="when the last reckoning was entered")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "ruleset"], name="rating_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.ruleset}: {self.mu:.2f} ± {self.sigma:.2f}"


class RatingChange(models.Model):
    """What one rated game did to a rating: the points of its curve."""

    rating = models.ForeignKey(Rating, models.CASCADE, related_name="changes", db_index=False)
    game = models.ForeignKey(Game, models.CASCADE, related_name="rating_changes")
    at = models.DateTimeField()
    before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    share = models.FloatField(default=1.0, db_default=1.0, help_text="by which the game counts")

    class Meta:
        indexes = [models.Index(fields=["rating", "-at"], name="rating_curve")]

    def __str__(self) -> str:
        return f"{self.rating}: {self.mu - self.before:+.2f}"


class Standing(models.Model):
    """A player on a leaderboard: of one game, of a year or of all (0), for a number of
    players or for any (0)."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="standings", db_index=False)
    ruleset = models.CharField(max_length=20)
    year = models.PositiveSmallIntegerField()
    size = models.PositiveSmallIntegerField()
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    # The rating, as it was after the last public game, of all or of the year.
    mu = models.FloatField()
    sigma = models.FloatField()
    settled = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "ruleset", "year", "size"], name="standing_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["ruleset", "year", "size", "-mu", "player"],
                name="standing_in_order",
                condition=Q(settled=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.ruleset} {self.year or 'ever'}: {self.mu:.2f}"


class Sheet(models.Model):
    """Counters of finished games, by name: of a player, or of everybody at public tables.

    What they are about is in the key (see `services.sheets.Scope`) and once more in columns, by
    which pages find them; what is blank or 0 there is everything. `counts` are sums; on a sheet
    of feats they are the highest value of each, with when and in which game that was.
    """

    key = models.CharField(max_length=120, primary_key=True)
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, related_name="sheets", db_index=False
    )
    public = models.BooleanField()
    topic = models.CharField(max_length=10)
    ruleset = models.CharField(max_length=20, blank=True)
    size = models.PositiveSmallIntegerField(default=0)
    edition = models.CharField(max_length=40, blank=True)
    band = models.PositiveSmallIntegerField(default=0, help_text="of ratings, from 1")
    year = models.PositiveSmallIntegerField(default=0)
    counts: models.JSONField[Any, Any] = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["player", "topic"], name="sheet_of_player"),
            models.Index(
                fields=["topic", "ruleset"], name="sheet_of_site", condition=Q(player=None)
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Opening(models.Model):
    """A place in the tree of first moves of public games: all that were played through it.

    `path` is seats with what they did or rolled, joined by slashes; `counts` are, for each facet
    (edition, band of ratings, people or bots), the games and those that this seat won. A place
    has places after it only once enough games came through it; see `services.openings`.
    """

    ruleset = models.CharField(max_length=20)
    size = models.PositiveSmallIntegerField()
    path = models.CharField(max_length=160, blank=True)
    parent = models.CharField(max_length=160, blank=True)
    games = models.PositiveIntegerField(default=0)
    counts: models.JSONField[Any, Any] = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ruleset", "size", "path"], name="opening_once"),
        ]
        indexes = [
            models.Index(fields=["ruleset", "size", "parent", "-games"], name="opening_after"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} for {self.size}: {self.path}"
