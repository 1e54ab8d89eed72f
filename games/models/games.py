"""A table from the open invitation to the result, and who sits at it."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.players import BotLevel, Player

# No look-alikes: an id is read aloud and typed from paper.
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12

TAKEN_BACK_BEFORE = 2
"""The turn of a seat that a bot plays, counted from the take-over, from which on it stays so."""

LUCKY_WORD = RegexValidator(
    r"\A[A-Za-z0-9-]{1,32}\Z", _("Use 1 to 32 letters (a–z), digits or hyphens.")
)


def new_public_id() -> str:
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


class Game(models.Model):
    """One table, from the open invitation to the result."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        OVER = "over", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        EXPIRED = "expired", _("expired")
        ANNULLED = "annulled", _("annulled")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("Public")
        LINK = "link", _("By link")
        NAMED = "named", _("Named players")

    class Pace(models.TextChoices):
        BRISK = "brisk", _("Brisk")
        DAILY = "daily", _("Daily")
        STEADY = "steady", _("Steady")
        RELAXED = "relaxed", _("Relaxed")
        SLOW = "slow", _("Slow")
        NONE = "none", _("Without clock")

        @property
        def increment(self) -> timedelta | None:
            """What a finished turn adds to the clock."""
            hours = {"brisk": 12, "daily": 24, "steady": 48, "relaxed": 96, "slow": 168}
            return timedelta(hours=hours[self.value]) if self.value in hours else None

        @property
        def cap(self) -> timedelta | None:
            """What a clock can hold; the first turn has all of it."""
            return 3 * self.increment if self.increment else None

    class OnTimeout(models.TextChoices):
        LEAVE = "leave", _("The seat leaves the game")
        BOT = "bot", _("A bot takes the seat over")

    class Uncounted(models.TextChoices):
        """Why a rated game changed no rating."""

        SHORT = "short", _("somebody left too early")
        PRIVATE = "private", _("private, and not all ratings are certain")

    public_id = models.CharField(max_length=12, unique=True, default=new_public_id, editable=False)
    ruleset = models.CharField(max_length=20)
    options = models.JSONField(default=dict)
    edition = models.CharField(max_length=40, blank=True)
    size = models.PositiveSmallIntegerField()
    pace = models.CharField(max_length=10, choices=Pace.choices)
    on_timeout = models.CharField(max_length=5, choices=OnTimeout.choices, default=OnTimeout.LEAVE)
    visibility = models.CharField(max_length=6, choices=Visibility.choices)
    rated = models.BooleanField()
    # The bots that may take seats nobody came for; empty: none.
    fill_level = models.CharField(max_length=12, choices=BotLevel.choices, blank=True)
    # Bots alone play, for those who watch: the seconds between their moves. None: people play.
    exhibition = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    creator = models.ForeignKey(Player, models.PROTECT, related_name="games_created")
    players = models.ManyToManyField(
        Player, through="Seat", through_fields=("game", "player"), related_name="games"
    )
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch"
    )

    # Derived: whether the table has a webhook.
    has_webhook = models.BooleanField(default=False, db_default=False, editable=False)

    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    # When the commitment stood in a form, before the creator's word was known to the server.
    # None: the seed was drawn after that word had come in.
    committed_at = models.DateTimeField(null=True, blank=True, editable=False)

    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    # From here on it counts for nothing, by decision of a moderator.
    annulled_at = models.DateTimeField(null=True, blank=True)

    # Derived.
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    move_count = models.PositiveIntegerField(default=0)
    to_act = models.ForeignKey("Seat", models.SET_NULL, null=True, blank=True, related_name="+")
    to_act_kind = models.CharField(max_length=10, blank=True)
    acted_at = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    # A bot is to act: from this moment on a worker may decide for it. Whoever does moves the
    # moment ahead, so that somebody else takes over only if the worker has died.
    bot_due_at = models.DateTimeField(null=True, blank=True)
    # Of a running game: its board in one word, to find it by (see `selectors.position.sight_of`).
    sight = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    shelf = models.ForeignKey(
        "Shelf", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    uncounted = models.CharField(
        max_length=7, choices=Uncounted.choices, blank=True, default="", db_default=""
    )
    # Of a finished game, so that it can be found by how it went: see `selectors.finished.Went`.
    margin = models.PositiveIntegerField(null=True, blank=True)
    comeback = models.PositiveIntegerField(null=True, blank=True)
    highest = models.PositiveIntegerField(null=True, blank=True)
    traits = models.PositiveSmallIntegerField(default=0, db_default=0)
    band = models.PositiveSmallIntegerField(default=0, db_default=0)
    opening = models.CharField(max_length=160, blank=True, default="", db_default="")

    class Meta:
        constraints = [
            # A commitment of a form opens one game: see `services.commitments`.
            models.UniqueConstraint(
                fields=["commitment"],
                name="game_commitment_once",
                condition=Q(committed_at__isnull=False),
            ),
            models.CheckConstraint(condition=Q(size__gte=2, size__lte=4), name="game_size"),
            models.CheckConstraint(
                condition=Q(status="running") | Q(to_act=None), name="game_act_only_while_running"
            ),
            models.CheckConstraint(
                condition=Q(status="over") | Q(result=None), name="game_result_only_when_over"
            ),
            models.CheckConstraint(
                condition=Q(rated=False) | Q(fill_level=""), name="game_with_bots_is_casual"
            ),
            models.CheckConstraint(
                condition=Q(exhibition=None) | Q(rated=False), name="game_exhibition_is_casual"
            ),
        ]
        indexes = [
            models.Index(fields=["-created_at"], name="game_open", condition=Q(status="open")),
            models.Index(fields=["expires_at"], name="game_expiry", condition=Q(status="open")),
            models.Index(
                fields=["deadline"],
                name="game_deadline",
                condition=Q(status="running", deadline__isnull=False),
            ),
            models.Index(
                fields=["bot_due_at"],
                name="game_bot_due",
                condition=Q(bot_due_at__isnull=False),
            ),
            models.Index(
                fields=["sight"],
                name="game_by_sight",
                condition=Q(status="running") & ~Q(sight=""),
            ),
            models.Index(
                fields=["-acted_at", "-id"],
                name="game_watch",
                condition=Q(status="running", visibility="public"),
            ),
            models.Index(
                fields=["-ended_at", "-id"],
                name="game_archive",
                condition=Q(status="over", visibility="public"),
            ),
            models.Index(fields=["ended_at"], name="game_ended", condition=Q(status="over")),
            models.Index(fields=["shelf", "-ended_at", "-id"], name="game_on_shelf"),
            models.Index(
                fields=["annulled_at"],
                name="game_annulled",
                condition=Q(annulled_at__isnull=False),
            ),
            models.Index(fields=["shelf", "traits", "-ended_at", "-id"], name="game_by_traits"),
            models.Index(fields=["shelf", "margin", "-id"], name="game_by_margin"),
            models.Index(fields=["shelf", "-comeback", "-id"], name="game_by_comeback"),
            models.Index(fields=["shelf", "-highest", "-id"], name="game_by_highest"),
            models.Index(
                fields=["shelf", "-move_count", "-id"],
                name="game_by_length",
                condition=Q(shelf__isnull=False),
            ),
            models.Index(
                fields=["ruleset", "size", "opening"],
                name="game_by_opening",
                condition=Q(status="over", visibility="public"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.public_id}"

    def __repr__(self) -> str:
        # Never the seed: representations end up in logs.
        return f"<Game {self.public_id}>"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.public_id])

    @property
    def is_exhibition(self) -> bool:
        return self.exhibition is not None


class Seat(models.Model):
    """A player at a table. `number` is drawn when the last seat is taken."""

    class Mail(models.TextChoices):
        DEFAULT = "default", _("As in my settings")
        EACH = "each", _("A mail for each turn")
        NONE = "none", _("No mail about this game")

    class WordOrigin(models.TextChoices):
        CHOSEN = "chosen", _("chosen by the player")
        BROWSER = "browser", _("drawn in the player's browser")
        OFFERED = "offered", _("offered by Souk, left as it was")
        DRAWN = "drawn", _("drawn by Souk")
        FIXED = "fixed", _("the same for every bot")

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    joined = models.PositiveSmallIntegerField(help_text="order of joining, from 0")
    entropy = models.CharField(max_length=32, validators=[LUCKY_WORD])
    word_drawn = models.BooleanField(
        default=False, db_default=False, help_text="by Souk: nobody brought one"
    )
    word_origin = models.CharField(
        max_length=7,
        choices=WordOrigin.choices,
        blank=True,
        default="",
        db_default="",
        help_text="empty: not recorded, the code of that time knew only `word_drawn`",
    )
    joined_at = models.DateTimeField()

    # What this player alone sees or left here.
    seen_moves = models.PositiveIntegerField(default=0)
    notes = models.TextField(blank=True, max_length=5000)
    starred_at = models.DateTimeField(null=True, blank=True)
    mail = models.CharField(max_length=7, choices=Mail.choices, default=Mail.DEFAULT)

    # The clock: what was left at `clock_since`, the moment from which it runs (None: it stands).
    bank = models.DurationField(null=True, blank=True)
    turn_bank = models.DurationField(null=True, blank=True, help_text="left as the turn began")
    clock_since = models.DateTimeField(null=True, blank=True)
    granted = models.DurationField(
        null=True, blank=True, help_text="by moderators in this turn, part of both banks"
    )
    turns = models.PositiveIntegerField(default=0, help_text="finished in time, on a clock")

    # The bot that plays on after the time ran out, where the table agreed on that; the number
    # of moves there were (kept if the seat was taken back), and how many turns came up since.
    stand_in = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    stand_in_since = models.PositiveIntegerField(null=True, blank=True)
    stand_in_turns = models.PositiveSmallIntegerField(default=0)

    # In a game without clock: the number of moves at which this player agreed to go on without
    # whoever is silent.
    goes_on_from = models.PositiveIntegerField(null=True, blank=True)

    # Derived.
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    left_by = models.CharField(max_length=7, blank=True)
    # Of a finished game: the tally it is counted in, and when it ended.
    tally = models.ForeignKey(
        "Tally", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    # Again what the game says of how it went: the games of a player are found by it, too.
    margin = models.PositiveIntegerField(null=True, blank=True)
    comeback = models.PositiveIntegerField(null=True, blank=True)
    highest = models.PositiveIntegerField(null=True, blank=True)
    move_count = models.PositiveIntegerField(null=True, blank=True)
    traits = models.PositiveSmallIntegerField(default=0, db_default=0)
    opening = models.CharField(max_length=160, blank=True, default="", db_default="")

    class Meta:
        ordering = ["game_id", "number", "joined"]
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="seat_one_per_player"),
            models.UniqueConstraint(fields=["game", "joined"], name="seat_taken_once"),
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_once"),
            models.CheckConstraint(condition=Q(joined__lt=4), name="seat_joined_below_four"),
        ]
        indexes = [
            models.Index(fields=["tally", "-ended_at", "-game"], name="seat_in_tally"),
            models.Index(fields=["tally", "traits", "-ended_at", "-game"], name="seat_by_traits"),
            models.Index(fields=["tally", "margin", "-game"], name="seat_by_margin"),
            models.Index(fields=["tally", "-comeback", "-game"], name="seat_by_comeback"),
            models.Index(fields=["tally", "-highest", "-game"], name="seat_by_highest"),
            models.Index(fields=["tally", "-move_count", "-game"], name="seat_by_length"),
            models.Index(
                fields=["player", "opening"],
                name="seat_by_opening",
                condition=Q(ended_at__isnull=False),
            ),
            models.Index(
                fields=["player", "-ended_at", "-game"],
                name="seat_starred",
                condition=Q(starred_at__isnull=False),
            ),
            models.Index(
                fields=["player", "-ended_at", "-game"], name="seat_noted", condition=~Q(notes="")
            ),
            models.Index(
                fields=["player", "-ended_at", "-game"],
                name="seat_finished",
                condition=Q(ended_at__isnull=False),
            ),
            # Who has played for years still has few games that are not over.
            models.Index(
                fields=["player"], name="seat_unfinished", condition=Q(ended_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.game}"

    @property
    def decider(self) -> Player:
        """Who decides for this seat now."""
        return self.stand_in or self.player

    @property
    def may_be_taken_back(self) -> bool:
        """Until the next own turn comes up a second time."""
        return self.stand_in_id is not None and self.stand_in_turns < TAKEN_BACK_BEFORE


class Invitation(models.Model):
    """A named player is asked to take a seat."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, models.CASCADE, related_name="invitations")
    at = models.DateTimeField()
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="invitation_once"),
        ]

    def __str__(self) -> str:
        return f"{self.player} invited to {self.game}"
