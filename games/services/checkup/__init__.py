"""A check-up of everything that Souk stands on, in sentences for whoever runs it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from games.services.checkup import host, mail, names, stores, work
from games.services.checkup.findings import Finding, fault, first_line

NEEDED_FOR_WORK = ("database", "migrations")
"""Without these, nobody can be asked what waits; a clock that is wrong is another matter."""


def examine(*, now: datetime, mail_to: str = "", nameserver: str = "") -> Iterator[Finding]:
    """One finding after another, good and bad; what breaks on the way is a finding as well."""
    yield from _survived("machine", host.examine())
    database = list(_survived("database", stores.examine_database(now)))
    yield from database
    yield from _survived("broker", stores.examine_broker(now))
    yield from _survived("cache", stores.examine_cache())
    if any(finding.is_fault and finding.about in NEEDED_FOR_WORK for finding in database):
        yield fault("work", "Not looked at, because the database is not as it should be.")
    else:
        yield from _survived("names", names.examine())
        yield from _survived("work", work.examine(now))
    yield from _survived("mail", mail.examine_server(mail_to))
    yield from _survived("DNS", mail.examine_names(nameserver))


def _survived(about: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except Exception as error:
        yield fault(about, f"It broke while it was looked at: {first_line(error)}")
