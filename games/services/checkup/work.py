"""Whether somebody does the work: beat, sweeps, senders, bots."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from math import inf

from allauth.mfa.models import Authenticator
from django.conf import settings

from games import workers
from games.models import Heartbeat
from games.selectors.notices import stuck
from games.selectors.pulse import take_pulse
from games.services import second_factor
from games.services.checkup.findings import Finding, advice, fault, ok

WAITED_TOO_LONG = {
    "deadlines_late": (300, "No seat is taken when its time is up: no worker takes sweeps."),
    "notices_due": (900, "Mail is not sent: no worker runs, or the mail server does not work."),
    "errands_due": (900, "Devices and webhooks are not told: no worker has the queue of mail."),
    "bots_due": (300, "Bots do not play: no worker has the queue of bots."),
}
"""For how many seconds something may be due, and what it means when it is longer."""


def examine(now: datetime) -> Iterator[Finding]:
    yield from _heartbeats(now)
    yield from _second_factors()
    figures = {figure.name: figure.values for figure in take_pulse(now=now)}
    for name, (longest, meaning) in WAITED_TOO_LONG.items():
        count, age = figures[name][()], figures[f"{name}_oldest_seconds"][()]
        if age > longest:
            yield fault(
                "work", f"{meaning} {count:.0f} wait, the oldest for {age / 60:.0f} minutes."
            )
    count = stuck(now).count()
    if count:
        yield advice(
            "work", f"{count} mails failed or are stuck; the admin lists them with reasons."
        )


def _second_factors() -> Iterator[Finding]:
    rows = list(Authenticator.objects.values_list("data", flat=True))
    lost = sum(not second_factor.can_be_used(data) for data in rows)
    if lost:
        yield fault(
            "second factor",
            f"{lost} cannot be decrypted: whose they are cannot sign in. They were encrypted under "
            "another SECRET_KEY; name that in SECRET_KEY_FALLBACKS, or delete these rows.",
        )
    older = sum(not second_factor.is_current(data) for data in rows) - lost
    if older:
        yield advice(
            "second factor",
            f"{older} are not encrypted under the present SECRET_KEY yet. The daily purge does it; "
            "keep SECRET_KEY_FALLBACKS as it is until then.",
        )
    if rows and not (lost or older):
        yield ok("second factor", f"All {len(rows)} are encrypted under the present SECRET_KEY")


def _heartbeats(now: datetime) -> Iterator[Finding]:
    """Beat sends them, and a worker of each kind writes them down; the live process does so
    by itself, and where there never was one, pages ask."""
    seen = dict(Heartbeat.objects.values_list("name", "at"))
    ages = {role: (now - at).total_seconds() for role, at in seen.items()}
    if all(ages.get(role, inf) > settings.HEARTBEAT_STALE_AFTER for role in workers.ROLES):
        yield fault("work", "No worker has heard of beat for a while: is beat down, or are all?")
    for role in workers.ROLES:
        if role in ages:
            yield _heartbeat(role, ages[role])
        else:
            yield fault(
                "work", f"Nobody has ever worked for {role}: start such a worker, and beat."
            )
    if workers.LIVE in ages:
        yield _heartbeat(workers.LIVE, ages[workers.LIVE])
    elif settings.LIVE_PORT:
        yield advice("work", "There never was a live process: open pages ask by themselves.")


def _heartbeat(role: str, age: float) -> Finding:
    if age > settings.HEARTBEAT_STALE_AFTER:
        who = "process" if role == workers.LIVE else "worker"
        return fault(
            "work",
            f"The last heartbeat of {role} is {age / 60:.0f} minutes old: is such a {who} up?",
        )
    return ok("work", f"The last heartbeat of {role} is {age:.0f} seconds old")
