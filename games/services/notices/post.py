"""The channel of mail. A channel prepares what a parcel says, and hands it over.

Another channel is another class like this one: the outbox claims, keeps the lease, asks the
breaker of the channel and acts on the verdict, whatever the channel is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from django.core.mail import get_connection

from games.reckon.verdicts import Verdict, judge, judge_server
from games.services.notices import letters
from games.services.notices.letter import Letter
from games.services.notices.parcels import Parcel

T = TypeVar("T")


class Channel(Protocol[T]):
    name: str

    def prepare(self, parcel: Parcel, *, now: datetime) -> T:
        """What will be handed over; may take its time, may fail."""

    def deliver(self, prepared: T) -> Verdict | None:
        """Hand it over; None if it was taken, and never an exception."""

    def close(self) -> None: ...


class Post:
    """One connection to the mail server for everything that a sender sends."""

    name = "mail"

    def __init__(self) -> None:
        self.connection = get_connection()

    def prepare(self, parcel: Parcel, *, now: datetime) -> Letter:
        return letters.write(parcel, now=now)

    def deliver(self, prepared: Letter) -> Verdict | None:
        verdict = self._try(prepared)
        return verdict and _without(prepared.to, verdict)

    def close(self) -> None:
        self.connection.close()

    def _try(self, letter: Letter) -> Verdict | None:
        try:
            self.connection.open()
        except Exception as error:
            return judge_server(error)
        try:
            self.connection.send_messages([letter])
        except Exception as error:
            return judge(error)
        return None


def _without(addresses: list[str], verdict: Verdict) -> Verdict:
    """Servers repeat the address; the reason is stored and logged, where it has no business."""
    names = "|".join(map(re.escape, addresses))
    return replace(verdict, reason=re.sub(names, "…", verdict.reason, flags=re.IGNORECASE))
