"""The mailbox for returned mail, read by IMAP. What has been dealt with is marked as seen."""

from __future__ import annotations

import imaplib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from ssl import create_default_context
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings

from games.reckon.reports import Report, read_report
from games.services.notices import bounces
from games.services.notices.headers import sent_from

log = logging.getLogger(__name__)

MOST = 500
"""Messages in one go."""
LONGEST = 200_000
"""Bytes of a message that are read; what a report has to say comes before the returned mail."""


class Unreadable(OSError):
    """The mailbox is not where it should be, or does not let us in."""


def is_configured() -> bool:
    return bool(settings.BOUNCE_ADDRESS and settings.BOUNCE_MAILBOX)


def read_bounces(*, now: datetime) -> int:
    """Act on everything that came since the last time; how many messages that were."""
    if not is_configured():
        return 0
    count = 0
    with _inbox() as inbox:
        for number in _unseen(inbox)[:MOST]:
            take_in(_fetch(inbox, number), now=now)
            # Only now: if we die before, it is read again, and counts once all the same.
            inbox.store(number, "+FLAGS", r"(\Seen)")
            count += 1
    return count


def take_in(raw: bytes, *, now: datetime) -> None:
    """One message of the mailbox; what nobody here signed is ignored."""
    report = _read(raw)
    notice = sent_from(report.number, report.seal) if report else None
    if report is None or notice is None:
        return
    if report.is_complaint:
        bounces.complained(notice=notice, now=now)
    else:
        address = notice.address or notice.reader.email
        bounces.count(notice=notice, address=address, reason=report.reason, now=now)


def _read(raw: bytes) -> Report | None:
    try:
        return read_report(raw, bounce_address=settings.BOUNCE_ADDRESS)
    except Exception:
        # Anybody can write to this mailbox, in any form.
        log.warning("a message in the mailbox for returned mail cannot be read")
        return None


@contextmanager
def _inbox() -> Iterator[imaplib.IMAP4]:
    place = urlsplit(settings.BOUNCE_MAILBOX)
    secure = place.scheme == "imaps"
    host, timeout = place.hostname or "", settings.EMAIL_TIMEOUT or 20
    try:
        inbox = (
            imaplib.IMAP4_SSL(
                host, place.port or 993, ssl_context=create_default_context(), timeout=timeout
            )
            if secure
            else imaplib.IMAP4(host, place.port or 143, timeout=timeout)
        )
        with inbox:
            if not secure and "STARTTLS" in inbox.capabilities:
                inbox.starttls(create_default_context())
            inbox.login(unquote(place.username or ""), unquote(place.password or ""))
            _must(inbox.select(place.path.strip("/") or "INBOX"))
            yield inbox
    except imaplib.IMAP4.error as error:
        raise Unreadable(str(error)) from error


def _unseen(inbox: imaplib.IMAP4) -> list[str]:
    [found] = _must(inbox.search(None, "UNSEEN"))
    return (found or b"").decode().split()


def _fetch(inbox: imaplib.IMAP4, number: str) -> bytes:
    parts = _must(inbox.fetch(number, f"(BODY.PEEK[]<0.{LONGEST}>)"))
    return b"".join(part[1] for part in parts if isinstance(part, tuple))


def _must(answer: tuple[str, list[Any]]) -> list[Any]:
    kind, data = answer
    if kind != "OK":
        raise Unreadable(f"{kind}: {data!r}")
    return data
