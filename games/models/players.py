"""Who plays: people, guests and bots, with their settings, vacations and blocks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.reckon.likeness import likeness

GONE_PREFIX = "gone-"
GUEST_PREFIX = "guest-"
"""How the names begin that nobody chose, and nobody is shown."""


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
    # No longer read: what names look like stands in the table of keys.
    likeness = models.CharField(
        max_length=90, blank=True, default="", db_default="", db_index=True, editable=False
    )
    language = models.CharField(_("language"), max_length=10, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=50, blank=True)
    theme = models.CharField(_("theme"), max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    confirm_moves = models.BooleanField(_("ask before a move is made"), default=True)
    moves_on = models.BooleanField(
        _("go on to the next game after a turn"), default=False, db_default=False
    )
    # How many scenes of the tutorial of each game were played to their end.
    lessons: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    bot_level = models.CharField(
        max_length=12, choices=BotLevel.choices, blank=True, editable=False
    )
    # Plays without an account, for as long as a cookie lasts; see services.guests.
    is_guest = models.BooleanField(default=False, editable=False)

    mail = models.CharField(_("mail"), max_length=6, choices=Mail.choices, default=Mail.EACH)
    # How each kind of notice comes, where that is not the usual way; see notices.wishes.
    channels: models.JSONField[Any, Any] = models.JSONField(null=True, blank=True, editable=False)
    # Derived: whether there is a device or a webhook of this player.
    has_device = models.BooleanField(default=False, db_default=False, editable=False)
    has_webhook = models.BooleanField(default=False, db_default=False, editable=False)
    digest_hour = models.PositiveSmallIntegerField(_("hour of the daily mail"), default=8)
    reminders = models.BooleanField(_("reminders before my time runs out"), default=True)
    puzzle_mail = models.BooleanField(
        _("a puzzle by mail every day"), default=False, db_default=False
    )
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_to = models.TimeField(_("quiet until"), null=True, blank=True)
    # A changed window pauses the clock only from here on; see reckon.running_time.
    quiet_counts_from = models.DateTimeField(null=True, blank=True, editable=False)
    auto_vacation = models.BooleanField(_("spend vacation before I lose on time"), default=False)
    calendar_token = models.CharField(
        max_length=43, null=True, blank=True, unique=True, editable=False
    )
    # Signed into the links of emails that act for the player: a higher one ends those before.
    link_counter = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    # Whose invitation to the site this player signed up with.
    invited_by = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="invited_players",
        editable=False,
    )
    # The address to which mail is pointless, why in the words of a mail server, since when.
    refused_address = models.EmailField(blank=True, editable=False)
    refused_reason = models.CharField(max_length=500, blank=True, editable=False)
    refused_at = models.DateTimeField(null=True, blank=True, editable=False)

    # What moderators imposed; see services.moderation. Without an end a suspension lasts.
    muted_until = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(null=True, blank=True, editable=False)
    # The last time they did anything to this player, so that pages know whether to look.
    moderated_at = models.DateTimeField(null=True, blank=True, editable=False)

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

    def save(self, *args: Any, **kwargs: Any) -> None:
        """With the keys of the names, whoever changes them: IntegrityError if another has one."""
        written = kwargs.get("update_fields")
        if written is not None and not {"username", "display_name"} & set(written):
            super().save(*args, **kwargs)
            return
        with transaction.atomic(using=kwargs.get("using")):
            before = Player.objects.filter(pk=self.pk).only("username", "display_name").first()
            super().save(*args, **kwargs)
            self._keep_keys(before)

    def _keep_keys(self, before: Player | None) -> None:
        """Only for what changes: a name from before the keys may have to do without."""
        had = before.keys_of_names() if before else set()
        wanted = self.keys_of_names()
        if had - wanted:
            self.name_keys.filter(key__in=had - wanted).delete()
        # Always in the same order: two who want the same keys must not wait for each other.
        new = [NameKey(key=key, player=self) for key in sorted(wanted - had)]
        # Bots come when they are first asked to play, perhaps after somebody took their name.
        NameKey.objects.bulk_create(new, ignore_conflicts=bool(self.bot_level))

    def keys_of_names(self) -> set[str]:
        """What the names of this player look like; names that nobody is shown have no key."""
        names = {self.display_name}
        if not self.username.startswith((GONE_PREFIX, GUEST_PREFIX)):
            names.add(self.username)
        return {likeness(name) for name in names if name}

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    def get_absolute_url(self) -> str:
        return reverse("profile", args=[self.username])

    def is_suspended(self, now: datetime) -> bool:
        """Whether this player may neither sign in nor play."""
        if self.suspended_at is None:
            return False
        return self.suspended_until is None or self.suspended_until > now

    def is_muted(self, now: datetime) -> bool:
        return self.muted_until is not None and self.muted_until > now

    @property
    def address_refused(self) -> bool:
        """Whether mail to the present address is pointless; a new address starts afresh."""
        return bool(self.email) and self.refused_address == self.email


class NameKey(models.Model):
    """What a username or a display name looks like. A key has one owner, so no two players can be
    taken for each other; names that were there before the keys, and look alike, have none."""

    key = models.CharField(max_length=600)
    player = models.ForeignKey(Player, models.CASCADE, related_name="name_keys")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key"], name="name_key_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.player}"


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


class SharedYear(models.Model):
    """A player lets everybody see the page of a year; without it, nobody else does."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="shared_years")
    year = models.PositiveSmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "year"], name="shared_year_once"),
        ]

    def __str__(self) -> str:
        return f"{self.year} of {self.player}"
