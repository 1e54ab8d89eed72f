"""The security log: who signed in, what was changed in an account, what moderators did.

A line has the event, the number of the player and a keyed hash of the network that the request came
from: enough to see that several events belong together, and nothing that names anybody.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from functools import partial
from ipaddress import ip_address, ip_network

from django.db import transaction
from django.utils.crypto import salted_hmac

log = logging.getLogger("souk.security")
client: ContextVar[str] = ContextVar("client", default="")
"""The address that the present request came from; empty outside of requests."""


def note(event: str, *, player: int | None, **facts: str | int | None) -> None:
    network = network_hash(client.get())
    told = {"event": event, "player": player, "network": network, **facts}
    log.info("security event", extra={"facts": told})


def note_on_commit(event: str, *, player: int | None, **facts: str | int | None) -> None:
    """For what a transaction changes: nothing is noted that is rolled back."""
    transaction.on_commit(partial(note, event, player=player, **facts), robust=True)


def network_hash(address: str) -> str | None:
    """Of the /24 or /64 that the address is in. Without the site's key it cannot be guessed."""
    try:
        ip = ip_address(address)
    except ValueError:
        return None
    network = ip_network(f"{ip}/{24 if ip.version == 4 else 64}", strict=False)
    return salted_hmac("souk.security_log", str(network), algorithm="sha256").hexdigest()[:24]
