"""The mailbox for returned mail, read by IMAP. What has been dealt with is marked as seen."""

from __future__ import annotations

import imaplib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from ssl import create_default_context
from time import monotonic
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import InterfaceError, OperationalError

from games.models import Notice
from games.reckon.reports import read_report
from games.services.notices import bounces
from games.services.notices.headers import sent_from

log = logging.getLogger(__name__)

MOST = 500
"""Messages in one go; what is left comes next time, because what was read is marked."""
LONGEST_RUN = 15
"""Seconds: the worker that reads this mailbox sends codes for signing in, too."""
LONGEST = 200_000
"""Bytes of a message that are read; what a report has to say comes before the returned mail."""


class Unreadable(OSError):
    """The mailbox is not where it should be, or does not let us in."""


def is_configured() -> bool:
    return bool(settings.BOUNCE_ADDRESS and settings.BOUNCE_MAILBOX)


def read_bounces(*, now: datetime, clock: Callable[[], float] = monotonic) -> int:
    """Act on what came since the last time, oldest first; how many messages that were."""
    if not is_configured():
        return 0
    count, end = 0, clock() + LONGEST_RUN
    with _inbox() as inbox:
        for number in _unseen(inbox):
            if count and (count >= MOST or clock() >= end):
                log.info("the rest of the mailbox for returned mail is read next time")
                break
            if _deal_with(inbox, number, now):
                count += 1
    return count


def _deal_with(inbox: imaplib.IMAP4, number: str, now: datetime) -> bool:
    """Whether the message could be fetched; one that is odd must not stand before all others."""
    raw = _fetch(inbox, number)
    if raw is None:
        return False
    try:
        take_in(raw, now=now)
    except (OperationalError, InterfaceError):
        # Nothing is wrong with the message: it is read again when the database is there.
        raise
    except Exception:
        log.warning("a message in the mailbox for returned mail cannot be read", exc_info=True)
    # Only now: if we die before, it is read again, and counts once all the same.
    inbox.store(number, "+FLAGS", r"(\Seen)")
    return True


def take_in(raw: bytes, *, now: datetime) -> None:
    """One message of the mailbox; what nobody here signed is ignored."""
    notices: list[Notice] = []

    def is_ours(number: str, seal: str) -> bool:
        notice = sent_from(number, seal)
        notices.extend([notice] if notice else [])
        return notice is not None

    report = read_report(raw, bounce_address=settings.BOUNCE_ADDRESS, is_ours=is_ours)
    if report is None:
        return
    [notice] = notices
    if report.is_complaint:
        bounces.complained(notice=notice, now=now)
    else:
        address = notice.address or notice.reader.email
        bounces.count(notice=notice, address=address, reason=report.reason, now=now)


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


def _fetch(inbox: imaplib.IMAP4, number: str) -> bytes | None:
    """None: the server does not give it out, because it was taken away meanwhile, say."""
    kind, parts = inbox.fetch(number, f"(BODY.PEEK[]<0.{LONGEST}>)")
    if kind != "OK":
        log.warning("a message in the mailbox for returned mail is not given out")
        return None
    return b"".join(part[1] for part in parts if isinstance(part, tuple))


def _must(answer: tuple[str, list[Any]]) -> list[Any]:
    kind, data = answer
    if kind != "OK":
        raise Unreadable(f"{kind}: {data!r}")
    return data
