"""Commitments that are published before the word of the player who opens a game is known.

A form carries a *ticket*: a random number, the moment it was made, and the commitment. The seed
is a keyed hash of the number and the moment, so that nothing is stored until the form is sent,
however many forms are asked for, and the ticket tells its reader nothing about the seed. The
commitment itself shows that a ticket is genuine: without the key nobody can compute one.

A ticket opens one game. Otherwise a player could finish that game, learn the seed, and open
another whose dice are known. A constraint on the games is what keeps this.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from games.engine import chance
from games.models import Game
from games.services.errors import Refused
from games.services.luck import keys

KEPT_FOR = timedelta(hours=1)
TICKET = re.compile(r"([0-9a-f]{32}\.([0-9]{1,11}))\.([0-9a-f]{64})")
EXPIRED = _("This form was open for more than an hour, so its commitment has expired.")
DAMAGED = _("The commitment of this form is damaged.")
USED = _("A game was opened with the commitment of this form already.")


class Outdated(Refused):
    """The ticket of a form is not valid any more: the form needs a new one, and a new word."""


class Used(Outdated):
    """A game was opened with this ticket."""

    def __init__(self, game: Game) -> None:
        super().__init__(str(USED))
        self.game = game

    def is_repeated_by(
        self, player_id: int | None, entropy: str, terms: Mapping[str, object]
    ) -> bool:
        """Whether the same form was sent twice, by a double click perhaps."""
        first = self.game.seats.filter(joined=0).first()
        if first is None or first.player_id != player_id:
            return False
        same_terms = all(getattr(self.game, name) == value for name, value in terms.items())
        return entropy in ("", first.entropy) and same_terms


@dataclass(frozen=True)
class Seed:
    secret: bytes = field(repr=False)
    commitment: str
    committed_at: datetime | None
    """When a form carried the commitment; None: the seed was drawn as the form came in."""


def new_ticket(*, now: datetime) -> str:
    head = f"{secrets.token_bytes(16).hex()}.{int(now.timestamp())}"
    return f"{head}.{chance.commitment(_seed(head, settings.SECRET_KEY))}"


def commitment_of(ticket: str) -> str:
    """What a form shows of its ticket; empty if it is none."""
    found = TICKET.fullmatch(ticket)
    return found[3] if found else ""


def is_valid(ticket: str, *, now: datetime) -> bool:
    try:
        seed_of(ticket, now=now)
    except Outdated:
        return False
    return True


def seed_of(ticket: str, *, now: datetime) -> Seed:
    """The seed that belongs to a ticket."""
    found = TICKET.fullmatch(ticket)
    if found is None:
        raise Outdated(DAMAGED)
    head, seconds, commitment = found.groups()
    for key in keys():
        secret = _seed(head, key)
        if constant_time_compare(chance.commitment(secret), commitment):
            made_at = datetime.fromtimestamp(int(seconds), UTC)
            break
    else:
        raise Outdated(DAMAGED)
    if now - made_at > KEPT_FOR:
        raise Outdated(EXPIRED)
    if game := Game.objects.filter(commitment=commitment, committed_at=made_at).first():
        raise Used(game)
    return Seed(secret, commitment, committed_at=made_at)


def _seed(head: str, key: str | bytes) -> bytes:
    return salted_hmac("games.commitments", head, secret=key, algorithm="sha256").digest()
