"""What every page may show without its view knowing."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from games.kept_mail import folder
from games.models import Player
from games.selectors.lobby import waiting_count
from games.selectors.notices import codes_are_late

CODE_PAGES = {
    "account_confirm_login_code",
    "account_confirm_password_reset_code",
    "account_email_verification_sent",
}


def waiting(request: HttpRequest) -> dict[str, int]:
    """How many games wait for this player; counted before the page is rendered."""
    player = getattr(request, "user", None)
    return {"waiting": waiting_count(player) if isinstance(player, Player) else 0}


def codes(request: HttpRequest) -> dict[str, bool]:
    """Whether codes come late today, for the pages that ask for one."""
    match = request.resolver_match
    if match is None or match.url_name not in CODE_PAGES:
        return {}
    return {"codes_are_late": codes_are_late(timezone.now())}


def mailbox(request: HttpRequest) -> dict[str, bool]:
    return {"mail_is_kept": folder.is_readable(request)}
