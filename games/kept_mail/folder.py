"""Mail that goes nowhere: each message becomes one file, to be read on a page of the site."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage as ParsedMessage
from email.parser import BytesHeaderParser, BytesParser
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.http import HttpRequest

from games.kept_mail.machine import is_loopback

SUFFIX = ".eml"
FORWARDED = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
MAIL_ID = re.compile(r"[0-9a-f-]{1,80}")


class EmailBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for message in email_messages:
            # The name sorts by time. A file appears under it only when it is complete.
            name = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{secrets.token_hex(4)}"
            partial = folder / f".{name}.partial"
            partial.write_bytes(message.message().as_bytes())
            os.replace(partial, folder / f"{name}{SUFFIX}")
        return len(email_messages)


def is_readable(request: HttpRequest) -> bool:
    """Whether mail is kept and may be read on a page: never on a public site, and only by
    somebody at this machine. What came by a proxy may come from anywhere."""
    return (
        settings.MAIL_KEPT_IN is not None
        and not settings.PUBLIC
        and is_loopback(request.META.get("REMOTE_ADDR", ""))
        and not any(name in request.headers for name in FORWARDED)
    )


def mail_ids() -> list[str]:
    """All messages, newest first; no file is opened."""
    try:
        names = os.listdir(_folder())
    except FileNotFoundError:
        return []
    ids = (name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))
    return sorted((mail_id for mail_id in ids if MAIL_ID.fullmatch(mail_id)), reverse=True)


def read_headers(mail_id: str) -> ParsedMessage:
    return _message(mail_id, BytesHeaderParser(policy=policy.default))


def read_mail(mail_id: str) -> ParsedMessage:
    """The message; FileNotFoundError if there is none of this id."""
    return _message(mail_id, BytesParser(policy=policy.default))


def parts(message: ParsedMessage) -> Iterator[tuple[int, ParsedMessage]]:
    """The leaves of a message, each with the number it is asked for by."""
    for number, part in enumerate(message.walk()):
        if not part.is_multipart() and isinstance(part, ParsedMessage):
            yield number, part


def _message(mail_id: str, parser: BytesParser) -> ParsedMessage:
    if not MAIL_ID.fullmatch(mail_id):
        raise FileNotFoundError(mail_id)
    with (_folder() / f"{mail_id}{SUFFIX}").open("rb") as file:
        message = parser.parse(file)
    assert isinstance(message, ParsedMessage)
    return message


def _folder() -> Path:
    if settings.MAIL_KEPT_IN is None:
        raise FileNotFoundError("mail is sent, not kept")
    return Path(settings.MAIL_KEPT_IN)
