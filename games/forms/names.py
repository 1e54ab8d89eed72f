"""What players may call themselves."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.models import BotLevel
from games.services.accounts import GONE_PREFIX
from games.services.guests import GUEST_PREFIX

# ASCII alone: a name is part of an address, is typed by others, and must be the same in any
# letter case on every database. Whatever else people are called goes into the display name.
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._+-]*[A-Za-z0-9])?")
NAME_HELP = _("Letters a–z, digits and . + - _ between them. It is part of your profile's address.")
BOT = re.compile(rf"(?:{'|'.join(BotLevel.values)})(?:-\d+)?", re.IGNORECASE)

# Joiners hold scripts and emoji together; all other invisible characters only mislead.
JOINERS = {"\u200c", "\u200d"}
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise ValidationError(
            _("Use letters a–z and digits; . + - _ may stand between them."), code="invalid"
        )
    if name.lower().startswith((GONE_PREFIX, GUEST_PREFIX)) or BOT.fullmatch(name):
        raise ValidationError(_("This name cannot be used."), code="reserved")


def clean_display_name(text: str) -> str:
    """The name in its normal form, or an error if it could pass for something it is not."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if any(unicodedata.category(c) in INVISIBLE and c not in JOINERS for c in name):
        raise ValidationError(
            _("Characters that cannot be seen, or that turn the writing around, are not allowed."),
            code="invisible",
        )
    if name and not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        raise ValidationError(_("Nothing of this name could be seen."), code="invisible")
    return name
