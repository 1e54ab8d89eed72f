"""A check-up of everything that Souk stands on, in sentences for whoever runs it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from games.services.checkup import host, mail, stores, work
from games.services.checkup.findings import Finding, fault


def examine(*, now: datetime, mail_to: str = "", nameserver: str = "") -> Iterator[Finding]:
    """One finding after another, good and bad; what breaks on the way is a finding as well."""
    yield from host.examine()
    database = list(stores.examine_database(now))
    yield from database
    yield from stores.examine_broker(now)
    yield from stores.examine_cache()
    if any(finding.is_fault for finding in database):
        yield fault("work", "Not looked at, because the database does not work.")
    else:
        yield from work.examine(now)
    yield from mail.examine_server(mail_to)
    yield from mail.examine_names(nameserver)
