"""Emails that tell a player what was added to the account, in case it was somebody else."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Device, Player, Webhook
from games.selectors.accounts import is_confirmed
from games.selectors.clock import zone_of
from games.selectors.rules import name_of
from games.services import limits
from games.services.notices.links import absolute
from games.services.notices.written import Content, write_to


def announce_device(*, device: Device, network: str, now: datetime) -> None:
    _announce(device.player, device, network, now)


def announce_webhook(*, webhook: Webhook, network: str, now: datetime) -> None:
    _announce(webhook.owner, webhook, network, now)


def _announce(player: Player, added: Device | Webhook, network: str, now: datetime) -> None:
    """In the transaction that adds it. Beyond the limit nothing more is added: a flood of emails
    is no way to make somebody miss one, and nothing is added without one."""
    limits.spend("announcement", now=now, sender=player.pk)
    if not is_confirmed(player):
        return
    language = player.language if player.language in dict(settings.LANGUAGES) else None
    with (
        translation.override(language or settings.LANGUAGE_CODE),
        timezone.override(zone_of(player)),
    ):
        subject, said = _device(added) if isinstance(added, Device) else _webhook(added)
        context = {
            "said": said,
            "manage_url": absolute("/settings/notices/"),
            "timestamp": now,
            "ip": network,
            "site_url": settings.SITE_URL,
        }
        content = Content(
            subject=subject,
            text=render_to_string("games/mail/security.txt", context).strip() + "\n",
            html=render_to_string("games/mail/security.html", context),
        )
    write_to(address=player.email, content=content, now=now)


def _device(device: Device) -> tuple[str, str]:
    name = {"device": str(device)}
    return (
        _("New device: %(device)s") % name,
        _("%(device)s now shows when it is your turn.") % name,
    )


def _webhook(webhook: Webhook) -> tuple[str, str]:
    """Not its address, which is a secret for chats."""
    kind = {"kind": str(webhook)}
    subject = _("New webhook: %(kind)s") % kind
    if webhook.game is None:
        return subject, _("Your turns are now sent to a webhook (%(kind)s).") % kind
    table = {**kind, "game": name_of(webhook.game.ruleset), "table": webhook.game.public_id}
    return subject, _("Turns at %(game)s %(table)s are now sent to a webhook (%(kind)s).") % table
