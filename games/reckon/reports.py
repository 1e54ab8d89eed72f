"""What a message in the mailbox for returned mail says: which mail came back, and why.

Only reports that say so in a form for machines count (RFC 3464 for mail that came back,
RFC 5965 for complaints). Somebody's note of being on holiday comes to the same mailbox.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from games.reckon.verdicts import speaks_of_the_reader

SENT_TO = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")


@dataclass(frozen=True)
class Report:
    """`number` and `seal` are those of the return address; no reason: it was a complaint."""

    number: str
    seal: str
    reason: str = ""

    @property
    def is_complaint(self) -> bool:
        return not self.reason


def read_report(raw: bytes, *, bounce_address: str) -> Report | None:
    """None if it is no report, or says nothing against the address."""
    message = message_from_bytes(raw)
    if message.get_content_type() != "multipart/report":
        return None
    known = _return_address(message, bounce_address)
    if known is None:
        return None
    for part in message.walk():
        if part.get_content_type() == "message/feedback-report":
            return Report(*known)
    for block in _blocks(message, "message/delivery-status"):
        status, said = _text(block, "Status"), _text(block, "Diagnostic-Code")
        failed = _text(block, "Action").lower() == "failed"
        if failed and speaks_of_the_reader(status, said.partition(";")[2]):
            return Report(*known, reason=f"{status} {said}".strip())
    return None


def _return_address(message: Message, bounce_address: str) -> tuple[str, str] | None:
    mailbox, _, host = bounce_address.partition("@")
    pattern = re.compile(
        rf"\b{re.escape(mailbox)}\+(\d{{1,18}})-([0-9a-f]{{20}})@{re.escape(host)}\b",
        re.IGNORECASE,
    )
    for text in _places(message):
        if found := pattern.search(text):
            return found[1], found[2]
    return None


def _places(message: Message) -> Iterator[str]:
    """Where a return address may stand: whom the report is for, then what it says of the mail."""
    for name in SENT_TO:
        yield from map(str, message.get_all(name, []))
    for block in _blocks(message, "message/feedback-report"):
        yield _text(block, "Original-Mail-From")
    for returned in _blocks(message, "message/rfc822"):
        yield _text(returned, "Return-Path")


def _blocks(message: Message, kind: str) -> Iterator[Message]:
    for part in message.walk():
        if part.get_content_type() == kind:
            content = part.get_payload()
            if isinstance(content, list):
                yield from (each for each in content if isinstance(each, Message))
            else:
                # The standard library opens only some kinds of messages in messages.
                yield message_from_bytes(str(content).encode(errors="replace"))


def _text(message: Message, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())
