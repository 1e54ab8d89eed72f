"""Ends the ways into an account that outlive its sessions."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import F

from games.models import Player
from games.security_log import note_on_commit
from games.services.locks import again_on_deadlock, lock_games_of
from games.services.notices import subscriptions
from games.services.reach import webhooks


@again_on_deadlock
@transaction.atomic
def revoke_access(*, player: Player, now: datetime, keep_device_of: str = "") -> None:
    """Remove devices, renew the calendar address, end the links in earlier emails, and ask about
    webhooks, which other people may rely on.

    The device of one session can be kept, by the mark of that session. A browser has one
    subscription; where a session has added several, none can be trusted to be its own.
    """
    lock_games_of(player)
    removed = player.devices.all()
    kept = list(removed.filter(session_mark=keep_device_of)[:2]) if keep_device_of else []
    if len(kept) == 1:
        removed = removed.exclude(pk=kept[0].pk)
    for device in removed:
        device.delete()
        note_on_commit("device_removed", player=player.pk)
    player.refresh_from_db(fields=["calendar_token"])
    if player.calendar_token:
        player.calendar_token = secrets.token_urlsafe(32)
    player.has_device = player.devices.exists()
    player.link_counter = F("link_counter") + 1
    player.save(update_fields=["calendar_token", "has_device", "link_counter"])
    player.refresh_from_db(fields=["link_counter"])
    player.webhooks.exclude(game__status__in=webhooks.ENDED).update(in_question=True)
    subscriptions.follow_devices(player=player, now=now)
