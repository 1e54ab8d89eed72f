"""What players may call themselves."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.models import GONE_PREFIX, GUEST_PREFIX, BotLevel, Player
from games.reckon.likeness import BLANK, likeness
from games.reckon.official import speaks_for_the_site
from games.selectors.players import is_taken

# ASCII alone: a name is part of an address, is typed by others, and must be the same in any
# letter case on every database. Whatever else people are called goes into the display name.
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9])?")
NAME_HELP = _("Letters a–z, digits and . + - _ between them. It is part of your profile's address.")
BOT = re.compile(rf"(?:{'|'.join(BotLevel.values)})(?:-\d+)?", re.IGNORECASE)

URL = re.compile(r"://|www\.|\w\.[^\W\d_]{2,}|\S@\S", re.IGNORECASE)
ENCODED_WORD = "=?"
# Several bots of one level are told apart by a number.
NUMBER = re.compile(r"[\W_]*\d+$")

# Joiners hold scripts and emoji together; all other invisible characters only mislead.
JOINERS = {"\u200c", "\u200d"}
NAMELESS: tuple[dict[str, Any], ...] = (
    {"is_guest": True},
    {"deleted_at": datetime.min.replace(tzinfo=UTC)},
)
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def check_name(name: str, besides: Player | None = None) -> None:
    """An error if the username is none, or misleads; `besides` is the player who has it."""
    if not NAME.fullmatch(name):
        raise ValidationError(
            _("Use letters a–z and digits; . + - _ may stand between them."), code="invalid"
        )
    if name.lower().startswith((GONE_PREFIX, GUEST_PREFIX)) or BOT.fullmatch(name):
        raise ValidationError(_("This name cannot be used."), code="reserved")
    check_likeness(name, besides)


def check_likeness(name: str, besides: Player | None = None) -> None:
    """The check of every name, whoever chooses it and wherever it is shown."""
    unnumbered = likeness(NUMBER.sub("", name))
    if speaks_for_the_site(name) or {likeness(name), unnumbered} & _names_of_the_house():
        raise ValidationError(_("This name cannot be used."), code="reserved")
    if is_taken(name, besides):
        raise ValidationError(_("This name is taken."), code="taken")


def clean_display_name(text: str, player: Player) -> str:
    """The name in its normal form, or an error if it could pass for something it is not."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if any(c in BLANK or (unicodedata.category(c) in INVISIBLE and c not in JOINERS) for c in name):
        raise ValidationError(
            _("Characters that cannot be seen, or that turn the writing around, are not allowed."),
            code="invisible",
        )
    if name and not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        raise ValidationError(_("Nothing of this name could be seen."), code="invisible")
    if URL.search(name) or ENCODED_WORD in name:
        raise ValidationError(_("A name is not an address: leave that out."), code="address")
    if name and name != player.display_name:
        check_likeness(name, player)
    return name


@cache
def _names_of_the_house() -> frozenset[str]:
    """What bots, guests and those who left are called, in each language."""
    names = {str(name) for name in settings.ACCOUNT_USERNAME_BLACKLIST}
    for language, _own_name in settings.LANGUAGES:
        with translation.override(language):
            names.update(str(level.label) for level in BotLevel)
            names.update(str(Player(**kind)) for kind in NAMELESS)
    return frozenset(map(likeness, names))
