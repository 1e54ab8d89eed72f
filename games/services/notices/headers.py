"""What stands above a letter, and where it goes back to if it cannot be delivered."""

from __future__ import annotations

from datetime import UTC
from email.utils import parseaddr

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models import Notice
from games.services.notices.parcels import Parcel

MESSAGE = "souk.message-id"
RETURN = "souk.return-address"
SENDER = "souk-mail"
"""How feedback loops of providers call us."""


def domain() -> str:
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].partition("@")[2]


def message_name(parcel: Parcel) -> str:
    """The same for each try, so that a mail program drops a second copy, and never used again:
    a database that is restored from a copy counts its rows from there."""
    rows = " ".join(_identity(each) for each in sorted(parcel.notices, key=lambda n: n.pk))
    return salted_hmac(MESSAGE, rows, algorithm="sha256").hexdigest()[:32]


def headers(parcel: Parcel) -> dict[str, str]:
    """Of every letter: it is from a machine, and no machine needs to answer it."""
    return {
        "Message-ID": f"<{message_name(parcel)}@{domain()}>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "Feedback-ID": f"{parcel.lead.kind}:souk:notice:{SENDER}",
    }


def list_headers(parcel: Parcel, off_url: str) -> dict[str, str]:
    """Of what can be turned off: how, and which game it belongs to."""
    more = {
        "List-Id": f"Souk <turns.{domain()}>",
        "List-Unsubscribe": f"<{off_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    if parcel.lead.game and not parcel.is_list:
        thread = f"<game.{parcel.lead.game.public_id}@{domain()}>"
        more |= {"In-Reply-To": thread, "References": thread}
    return more


def return_address(notice: Notice) -> str:
    """For the envelope: a mail that comes back says by its address alone which one it was, and
    only whoever got it can say so."""
    if not settings.BOUNCE_ADDRESS:
        return settings.DEFAULT_FROM_EMAIL
    mailbox, _, host = settings.BOUNCE_ADDRESS.partition("@")
    return f"{mailbox}+{notice.pk}-{_seal(notice, settings.SECRET_KEY)}@{host}"


def sent_from(number: str, seal: str) -> Notice | None:
    """The notice that was sent from this return address."""
    notice = Notice.objects.select_related("player").filter(pk=int(number)).first()
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if notice and any(constant_time_compare(_seal(notice, key), seal.lower()) for key in keys):
        return notice
    return None


def _seal(notice: Notice, key: str) -> str:
    # Local parts may come back in other letter case, and have 64 characters at most.
    sealed = salted_hmac(RETURN, _identity(notice), secret=key, algorithm="sha256")
    return sealed.hexdigest()[:20]


def _identity(notice: Notice) -> str:
    return f"{notice.pk} {notice.created_at.astimezone(UTC).isoformat()}"
