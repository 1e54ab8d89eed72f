"""The devices that a player lets us push notices to."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from binascii import Error
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.utils.translation import gettext as _

from games import outbound
from games.models import Device, Errand, Player
from games.security_log import note_on_commit
from games.services import limits, sessions
from games.services.errors import Refused
from games.services.notices import security_email, subscriptions
from games.services.reach import errands

MOST = 10
POINT, SECRET = 65, 16
"""Bytes of the two keys that a browser gives us."""


def add(
    *,
    player: Player,
    endpoint: str,
    p256dh: str,
    auth: str,
    name: str,
    now: datetime,
    session: SessionBase | None = None,
    network: str = "",
) -> Device:
    """This device, whoever had it before: it is the browser that knows who is signed in."""
    _check(endpoint, p256dh, auth)
    given = {"p256dh": p256dh, "auth": auth, "name": name[:80]}
    device, before = _add(player, endpoint, given, session, network, now)
    if before != player:
        subscriptions.follow_devices(player=player, now=now)
    if before and before != player:
        subscriptions.follow_devices(player=before, now=now)
    return device


@transaction.atomic
def _add(
    player: Player,
    endpoint: str,
    given: dict[str, str],
    session: SessionBase | None,
    network: str,
    now: datetime,
) -> tuple[Device, Player | None]:
    """The device, and whose it was."""
    locked = Player.objects.select_for_update().get(pk=player.pk)
    if session is not None:
        sessions.must_be_signed_in(session, locked)
        given = {**given, "session_mark": sessions.marked(session)}
    old = Device.objects.filter(endpoint=endpoint).first()
    if player.devices.exclude(endpoint=endpoint).count() >= MOST:
        raise Refused(
            _("You have %(count)d devices already. Take one off first.") % {"count": MOST}
        )
    if old and old.player_id != player.pk:
        _remove(old.player, old.pk)
    device, made = Device.objects.update_or_create(
        endpoint=endpoint,
        defaults={"player": player, **given},
        create_defaults={"player": player, "made_at": now, **given},
    )
    _count(player)
    if made:
        security_email.announce_device(device=device, network=network, now=now)
        note_on_commit("device_added", player=player.pk)
    return device, old.player if old else None


def remove(*, player: Player, device_id: int, now: datetime) -> None:
    """Once more changes nothing."""
    _remove(player, device_id)
    subscriptions.follow_devices(player=player, now=now)


@transaction.atomic
def _remove(player: Player, device_id: int) -> None:
    if Device.objects.filter(player=player, pk=device_id).delete()[0]:
        note_on_commit("device_removed", player=player.pk)
    _count(player)


@transaction.atomic
def send_test(*, player: Player, device_id: int, now: datetime) -> None:
    device = player.devices.filter(pk=device_id).first()
    if device is None:
        raise Refused(_("This device is not on the list any more."))
    limits.spend("device_test", now=now, sender=player.pk)
    Errand.objects.create(device=device, kind=Errand.Kind.TEST, created_at=now, due_at=now)
    transaction.on_commit(errands.wake, robust=True)


def _count(player: Player) -> None:
    player.has_device = player.devices.exists()
    player.save(update_fields=["has_device"])


def _check(endpoint: str, p256dh: str, auth: str) -> None:
    try:
        outbound.check(endpoint)
        if len(endpoint) > 1000 or (len(_bytes(p256dh)), len(_bytes(auth))) != (POINT, SECRET):
            raise ValueError
        # Nothing could ever be sealed for what is no point of the curve.
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
    except (ValueError, Error):
        raise Refused(_("This browser's push service cannot be used.")) from None


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
