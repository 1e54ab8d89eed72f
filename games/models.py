"""What is stored: players, games, seats and ordered moves.

A game is its moves. Columns marked *derived* follow from them, are written in the same
transaction as a move, and exist so that lists and sweeps need no replay.

A column that comes with a later release has a `db_default` or may be null: while a release is
rolled in, the code before it still writes rows.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

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


class BotLevel(models.TextChoices):
    APPRENTICE = "apprentice", _("Apprentice")
    MERCHANT = "merchant", _("Merchant")
    VIZIER = "vizier", _("Vizier")
    GRAND_VIZIER = "grand-vizier", _("Grand Vizier")


class Player(AbstractUser):
    """Somebody who plays; the user model of the site. Bots and guests are players too."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As my device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Mail(models.TextChoices):
        EACH = "each", _("A mail for each turn")
        DIGEST = "digest", _("One mail a day")
        NONE = "none", _("No mail")

    username = models.CharField(
        _("name"),
        max_length=30,
        unique=True,
        validators=[UnicodeUsernameValidator()],
        help_text=_("Letters, digits and @ . + - _ only. It is part of your profile's address."),
        error_messages={"unique": _("This name is taken.")},
    )
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(_("display name"), max_length=30, blank=True)
    # Derived from the display name, to find others who could be mistaken for its owner.
    likeness = models.CharField(
        max_length=90, blank=True, default="", db_default="", db_index=True, editable=False
    )
    language = models.CharField(_("language"), max_length=10, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=50, blank=True)
    theme = models.CharField(_("theme"), max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    confirm_moves = models.BooleanField(_("ask before a move is made"), default=True)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    bot_level = models.CharField(
        max_length=12, choices=BotLevel.choices, blank=True, editable=False
    )
    # Plays without an account, for as long as a cookie lasts; see services.guests.
    is_guest = models.BooleanField(default=False, editable=False)

    mail = models.CharField(_("mail"), max_length=6, choices=Mail.choices, default=Mail.EACH)
    digest_hour = models.PositiveSmallIntegerField(_("hour of the daily mail"), default=8)
    reminders = models.BooleanField(_("reminders before my time runs out"), default=True)
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_to = models.TimeField(_("quiet until"), null=True, blank=True)
    # A changed window pauses the clock only from here on; see reckon.running_time.
    quiet_counts_from = models.DateTimeField(null=True, blank=True, editable=False)
    auto_vacation = models.BooleanField(_("spend vacation before I lose on time"), default=False)
    calendar_token = models.CharField(
        max_length=43, null=True, blank=True, unique=True, editable=False
    )
    # The address to which mail is pointless, why in the words of a mail server, since when.
    refused_address = models.EmailField(blank=True, editable=False)
    refused_reason = models.CharField(max_length=500, blank=True, editable=False)
    refused_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="player_name_unique_any_case"),
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_to=None)
                | Q(quiet_from__isnull=False, quiet_to__isnull=False),
                name="player_quiet_hours_have_two_ends",
            ),
            models.CheckConstraint(
                condition=Q(digest_hour__lte=23), name="player_digest_hour_of_a_day"
            ),
        ]

    def __str__(self) -> str:
        if self.deleted_at:
            return str(_("Former player"))
        if self.bot_level:
            # Several of one level at a table are told apart by the number in their name.
            number = self.username[len(self.bot_level) + 1 :]
            return f"{self.get_bot_level_display()} {number}".strip()
        if self.is_guest:
            return str(_("Guest"))
        return self.display_name or self.username

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])

    @property
    def address_refused(self) -> bool:
        """Whether mail to the present address is pointless; a new address starts afresh."""
        return bool(self.email) and self.refused_address == self.email


class Vacation(models.Model):
    """A time in which a player's clocks stand still."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="vacations")
    start = models.DateTimeField()
    end = models.DateTimeField()
    automatic = models.BooleanField(default=False)

    class Meta:
        ordering = ["start"]
        constraints = [
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="vacation_has_a_length"),
        ]
        indexes = [models.Index(fields=["player", "end"], name="vacation_of_player")]

    def __str__(self) -> str:
        return f"{self.player} away from {self.start:%Y-%m-%d} to {self.end:%Y-%m-%d}"


class Block(models.Model):
    """One player wants nothing to do with another: no challenges, open games or chat."""

    blocker = models.ForeignKey(Player, models.CASCADE, related_name="blocks_made")
    blocked = models.ForeignKey(Player, models.CASCADE, related_name="blocks_received")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(blocker=F("blocked")), name="block_somebody_else"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker} blocks {self.blocked}"


class Game(models.Model):
    """One table, from the open invitation to the result."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        OVER = "over", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        EXPIRED = "expired", _("expired")

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
    creator = models.ForeignKey(Player, models.PROTECT, related_name="games_created")
    players = models.ManyToManyField(
        Player, through="Seat", through_fields=("game", "player"), related_name="games"
    )
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch"
    )

    seed = models.BinaryField(max_length=32, editable=False)
    commitment = models.CharField(max_length=64, editable=False)

    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

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
    ended_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    shelf = models.ForeignKey(
        "Shelf", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    uncounted = models.CharField(
        max_length=7, choices=Uncounted.choices, blank=True, default="", db_default=""
    )

    class Meta:
        constraints = [
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
                fields=["-acted_at", "-id"],
                name="game_watch",
                condition=Q(status="running", visibility="public"),
            ),
            models.Index(
                fields=["-ended_at", "-id"],
                name="game_archive",
                condition=Q(status="over", visibility="public"),
            ),
            models.Index(fields=["shelf", "-ended_at", "-id"], name="game_on_shelf"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} {self.public_id}"

    def __repr__(self) -> str:
        # Never the seed: representations end up in logs.
        return f"<Game {self.public_id}>"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.public_id])


class Seat(models.Model):
    """A player at a table. `number` is drawn when the last seat is taken."""

    class Mail(models.TextChoices):
        DEFAULT = "default", _("As in my settings")
        EACH = "each", _("A mail for each turn")
        NONE = "none", _("No mail about this game")

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    joined = models.PositiveSmallIntegerField(help_text="order of joining, from 0")
    entropy = models.CharField(max_length=32, validators=[LUCKY_WORD])
    word_drawn = models.BooleanField(
        default=False, db_default=False, help_text="by Souk: nobody brought one"
    )
    joined_at = models.DateTimeField()

    # What this player alone sees or left here.
    seen_moves = models.PositiveIntegerField(default=0)
    notes = models.TextField(blank=True, max_length=5000)
    mail = models.CharField(max_length=7, choices=Mail.choices, default=Mail.DEFAULT)

    # The clock: what was left at `clock_since`, the moment from which it runs (None: it stands).
    bank = models.DurationField(null=True, blank=True)
    turn_bank = models.DurationField(null=True, blank=True, help_text="left as the turn began")
    clock_since = models.DateTimeField(null=True, blank=True)
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
    # As for the turns of bots; None once there is an answer: the `action`, and the `gain` that
    # is to be expected of it over the next best, in what the game counts.
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

    game = models.ForeignKey(Game, models.CASCADE, related_name="messages")
    player = models.ForeignKey(Player, models.PROTECT, related_name="messages")
    text = models.CharField(max_length=500)
    event = models.CharField(max_length=10, choices=Event.choices, blank=True, editable=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["game", "id"], name="message_of_game")]

    def __str__(self) -> str:
        return f"{self.player}: {self.text}"


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
        STARTED = "started", _("game started")
        OVER = "over", _("game over")
        INVITATION = "invitation", _("invitation")
        MESSAGE = "message", _("message in chat")
        SEAT_LOST = "seat_lost", _("seat lost")
        ADDRESS = "address", _("address check")
        DIGEST = "digest", _("daily mail")
        ACCOUNT = "account", _("account")
        OPERATOR = "operator", _("word to the operators")

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        WITHDRAWN = "withdrawn", _("withdrawn")
        FAILED = "failed", _("failed")

    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="notices"
    )
    address = models.EmailField(blank=True, default="", db_default="")
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="notices")
    # Together with player, game and kind: what this notice is about, once and for all.
    move_number = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
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
        return f"{self.notice}: {self.reason}"


class SigningKey(models.Model):
    """A private key of the site, drawn once; see services.signing."""

    name = models.CharField(max_length=20, primary_key=True)
    private = models.BinaryField(max_length=32, editable=False)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"key for {self.name}"


class Use(models.Model):
    """How often something limited was done in a stretch of time; see services.limits."""

    key = models.CharField(max_length=64, primary_key=True)
    times = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.times} times until {self.until}"


class Heartbeat(models.Model):
    """When a background process was last seen alive."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


# What follows is derived from finished games alone: counted in the transaction that ends a
# game, and rebuilt from the moves by `manage.py rate --rebuild`.


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
    # The rating, as it is now or was at the end of the year.
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
