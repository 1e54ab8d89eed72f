"""What every page may show without its view knowing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from games.kept_mail import folder
from games.models import Player
from games.selectors import house_texts
from games.selectors.access import may_moderate
from games.selectors.lobby import waiting_counts
from games.selectors.notices import codes_are_late

CODE_PAGES = {
    "account_confirm_login_code",
    "account_confirm_password_reset_code",
    "account_email_verification_sent",
}


def waiting(request: HttpRequest) -> dict[str, int]:
    """How many games wait for this player, and how many others than the one of the page."""
    player = getattr(request, "user", None)
    if not isinstance(player, Player):
        return {"waiting": 0, "waiting_elsewhere": 0}
    match = request.resolver_match
    here = match.kwargs.get("public_id", "") if match else ""
    everywhere, elsewhere = waiting_counts(player, besides=here)
    return {"waiting": everywhere, "waiting_elsewhere": elsewhere}


def house(request: HttpRequest) -> dict[str, Any]:
    """What the operator wrote, and who may sign up."""
    return {"house_texts": house_texts.offered(), "sign_ups": settings.SIGN_UPS}


def moderator(request: HttpRequest) -> dict[str, bool]:
    """Whether pages offer what moderators can do; costs a query those alone who are staff."""
    return {"moderates": may_moderate(getattr(request, "user", None))}


def codes(request: HttpRequest) -> dict[str, bool]:
    """Whether codes come late today, for the pages that ask for one."""
    match = request.resolver_match
    if match is None or match.url_name not in CODE_PAGES:
        return {}
    return {"codes_are_late": codes_are_late(timezone.now())}


def mailbox(request: HttpRequest) -> dict[str, bool]:
    return {"mail_is_kept": folder.is_readable(request)}
