"""Who may sign up: everybody, whoever was invited by a member, or nobody."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Player
from games.services.errors import Refused
from games.services.notices.links import absolute

OPEN, INVITATION, CLOSED = "open", "invitation", "closed"
SIGN_UPS = (OPEN, INVITATION, CLOSED)
INVITED_BY = "invited-by"
SALT = "souk.membership"
GOOD_FOR = timedelta(days=14)


def invitation_link(*, member: Player) -> str:
    """An address that lets whoever opens it sign up, for two weeks."""
    return absolute(reverse("invited", args=[signing.dumps(member.pk, salt=SALT)]))


def accept(token: str, *, session: MutableMapping[str, Any], now: datetime) -> Player:
    """Remember who invited this visitor."""
    try:
        number = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
    except signing.BadSignature:
        raise Refused(_("This invitation is too old, or not complete. Ask for another.")) from None
    member = _member(number, now)
    if member is None:
        raise Refused(_("Whoever invited you does not play here any more."))
    session[INVITED_BY] = member.pk
    return member


def may_sign_up(session: MutableMapping[str, Any], now: datetime) -> bool:
    if settings.SIGN_UPS == INVITATION:
        return _member(session.get(INVITED_BY), now) is not None
    return bool(settings.SIGN_UPS == OPEN)


def inviter_of(session: MutableMapping[str, Any]) -> Player | None:
    """Whose link this visitor followed last, whatever became of that member since: moderators
    follow abused links."""
    number = session.get(INVITED_BY)
    return Player.objects.filter(pk=number).first() if isinstance(number, int) else None


def _member(number: object, now: datetime) -> Player | None:
    if not isinstance(number, int):
        return None
    member = Player.objects.filter(
        pk=number, is_active=True, is_guest=False, bot_level="", deleted_at=None
    ).first()
    return member if member and not member.is_suspended(now) else None
