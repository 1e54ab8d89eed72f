"""Run as a process of its own: `python -m tests.reach.fill mails pushes hooks push-url hook-url`.

Fills the outbox of the database that the environment names with what is due on every channel.
"""

from __future__ import annotations

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from games.models import Device, Errand, Notice, Webhook  # noqa: E402
from games.services.reach import hooks  # noqa: E402
from tests.people import Tables  # noqa: E402
from tests.reach.places import Browser  # noqa: E402


def fill(mails: int, pushes: int, told: int, push_url: str, hook_url: str) -> None:
    now, player = timezone.now(), Tables().player()
    keys = Browser().keys
    Notice.objects.bulk_create(
        Notice(player=player, kind="address", move_number=each, created_at=now, due_at=now)
        for each in range(mails)
    )
    devices = Device.objects.bulk_create(
        Device(player=player, endpoint=f"{push_url}/{each}", made_at=now, **keys)
        for each in range(pushes)
    )
    webhook = Webhook.objects.create(
        owner=player, url=hook_url, format="standard", secret="whsec_c2VjcmV0", made_at=now
    )
    common = {"kind": Errand.Kind.TEST, "created_at": now, "due_at": now}
    words = hooks.test_words(webhook, now=now)
    Errand.objects.bulk_create(
        [Errand(device=device, **common) for device in devices]
        + [Errand(webhook=webhook, content=words, **common) for _ in range(told)]
    )


mails, pushes, told = map(int, sys.argv[1:4])
fill(mails, pushes, told, *sys.argv[4:])
