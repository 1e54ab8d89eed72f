"""The channel of web push (RFC 8030, 8291, 8292): a few words, sealed for one browser."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import outbound
from games.models import Device, Errand, Game, Notice, Player
from games.security_log import note_on_commit
from games.selectors.clock import zone_of
from games.selectors.lobby import waiting_counts
from games.services.notices import letters, wording
from games.services.notices.links import absolute
from games.services.notices.wishes import ABOUT_A_TURN
from games.services.reach import keys, outcome
from games.services.reach.outcome import Outcome

Kind = Errand.Kind
GONE = (404, 410)
LONGEST = timedelta(days=28)
WITHOUT_CLOCK = timedelta(days=7)
SHORT = timedelta(days=1)
KEY_LASTS = timedelta(hours=12)
MOST_BUTTONS = 2


def deliver(errand: Errand, *, now: datetime) -> Outcome:
    device, time_left = errand.device, _time_left(errand, now)
    assert device
    if time_left <= timedelta():
        return Outcome("too late")
    sealed = _sealed(device, json.dumps(payload(errand, now=now), ensure_ascii=False).encode())
    headers = {
        "TTL": str(int(time_left.total_seconds())),
        "Urgency": "high" if errand.kind in ABOUT_A_TURN else "normal",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        **_signed(device, now),
    }
    if errand.game:
        # What is still unread about the same game is replaced.
        headers["Topic"] = errand.game.public_id
    return outcome.of(outbound.post(device.endpoint, sealed, headers), gone=GONE)


def noted(device: Device, came: Outcome, *, now: datetime) -> None:
    """What we learn about the device."""
    player = device.player
    if came.gone:
        device.delete()
        note_on_commit("device_removed", player=player.pk)
        Player.objects.filter(pk=player.pk).update(has_device=player.devices.exists())
    elif came.is_good:
        Device.objects.filter(pk=device.pk).update(reached_at=now, last_error="")
    else:
        Device.objects.filter(pk=device.pk).update(last_error=came.reason[:200])


def payload(errand: Errand, *, now: datetime) -> dict[str, Any]:
    """What the service worker shows, in the reader's language."""
    assert errand.device
    player = errand.device.player
    with (
        translation.override(letters.language_of(player)),
        timezone.override(zone_of(player)),
    ):
        said: dict[str, Any] = {"tag": errand.game.public_id if errand.game else errand.kind}
        if errand.kind == Kind.CLOSE:
            said["close"] = True
        elif errand.kind == Kind.TEST:
            said |= {
                "title": _("A test from Souk"),
                "body": _("This device hears when it is your turn."),
                "url": absolute("/settings/notices/"),
            }
        else:
            assert errand.notice
            assert errand.game
            said |= _words(errand.notice, errand.game, now)
    return {**said, "badge": waiting_counts(player)[0]}


def _words(notice: Notice, game: Game, now: datetime) -> dict[str, Any]:
    topic = letters.topic_of(notice, game)
    asked = notice.kind in ABOUT_A_TURN
    lines = [topic.task, wording.until(game, now)] if asked else [wording.opening(notice, topic)]
    said: dict[str, Any] = {
        "title": wording.subject(notice, topic),
        "body": "\n".join(line for line in lines if line)[:500],
        "url": absolute(game.get_absolute_url()),
    }
    choices = letters.choices_of(notice, game) if asked else []
    if 0 < len(choices) <= MOST_BUTTONS:
        said["actions"] = [
            {"action": str(number), "title": each.label, "url": each.url}
            for number, each in enumerate(choices)
        ]
    return said


def _time_left(errand: Errand, now: datetime) -> timedelta:
    """How long there is a point in telling it."""
    if errand.kind in ABOUT_A_TURN and errand.game:
        deadline = errand.game.deadline
        return min(deadline - now, LONGEST) if deadline else LONGEST
    return SHORT if errand.kind in (Kind.CLOSE, Kind.TEST) else WITHOUT_CLOCK


def _sealed(device: Device, words: bytes) -> bytes:
    # Only who sends needs it: it brings an HTTP client that every web process would load.
    from pywebpush import WebPusher

    place = {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}}
    return WebPusher(place).encode(words, "aes128gcm")["body"]


def _signed(device: Device, now: datetime) -> dict[str, str]:
    parts = urlsplit(device.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + KEY_LASTS).timestamp()),
        "sub": f"mailto:{parseaddr(settings.REPLY_TO)[1]}",
    }
    return keys.push_key(now=now).sign(claims)
