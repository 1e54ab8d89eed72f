"""What a message in the mailbox for returned mail says: which mail came back, and why.

Only reports that say so in a form for machines count (RFC 3464 for mail that came back,
RFC 5965 for complaints). Somebody's note of being on holiday comes to the same mailbox.

Anybody can write to it. So only as much of a message is read as a report needs, in time that grows
with its size alone: its headers, then those of its first few parts. Nothing within a part is a part
again, and nothing of a message is read for what is wrong before its return address proved genuine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from functools import cached_property

from games.reckon.verdicts import speaks_of_the_reader

SENT_TO = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To")

LONGEST_HEADERS = 32_000
"""Bytes, of a message and of a part."""
LONGEST_TYPE = 1_000
"""Characters of a Content-Type; its parameters take the parser long."""
MOST_PARTS = 10
"""A report has three."""
MOST_READERS = 20
"""Whom a report on delivery speaks of; each of our mails goes to one."""
END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True)
class Report:
    """`number` and `seal` are those of the return address; no reason: it was a complaint."""

    number: str
    seal: str
    reason: str = ""

    @property
    def is_complaint(self) -> bool:
        return not self.reason


def _anything(number: str, seal: str) -> bool:
    return True


def read_report(
    raw: bytes, *, bounce_address: str, is_ours: Callable[[str, str], bool] = _anything
) -> Report | None:
    """None if it is no report, or says nothing against the address, or `is_ours` does not know
    the number and seal of its return address."""
    message = _Piece(raw)
    if message.kind != "multipart/report":
        return None
    known = _return_address(message, bounce_address)
    if known is None or not is_ours(*known):
        return None
    if _of_kind(message, "message/feedback-report"):
        return Report(*known)
    for part in _of_kind(message, "message/delivery-status"):
        for block in part.blocks():
            status, said = _text(block, "Status"), _text(block, "Diagnostic-Code")
            failed = _text(block, "Action").lower() == "failed"
            if failed and speaks_of_the_reader(status, said.partition(";")[2]):
                return Report(*known, reason=f"{status} {said}".strip())
    return None


class _Piece:
    """A message, or a part of one: its headers, and what comes after them."""

    def __init__(self, raw: bytes) -> None:
        head, self.body = _split(raw)
        self.headers = _parse(head)

    @property
    def kind(self) -> str:
        too_long = len(str(self.headers.get("Content-Type", ""))) > LONGEST_TYPE
        return "" if too_long else self.headers.get_content_type()

    @cached_property
    def parts(self) -> list[_Piece]:
        boundary = self.headers.get_boundary("")
        if not boundary:
            return []
        line = re.compile(rb"^--" + re.escape(boundary.encode()) + rb"(?:--)?[ \t]*\r?$\n?", re.M)
        # What comes before the first line is for people who read it without a program.
        return [_Piece(each) for each in line.split(self.body, MOST_PARTS + 1)[1 : MOST_PARTS + 1]]

    def blocks(self) -> Iterator[Message]:
        """Of a report on delivery: what it says of the mail, and of each reader."""
        rest = self.body[:LONGEST_HEADERS]
        for _ in range(MOST_READERS + 1):
            head, rest = _split(rest.lstrip(b"\r\n"))
            if head:
                yield _parse(head)


def _split(raw: bytes) -> tuple[bytes, bytes]:
    if raw.startswith((b"\n", b"\r\n")):
        return b"", raw
    end = END_OF_HEADERS.search(raw, 0, LONGEST_HEADERS)
    return (raw[: end.start()], raw[end.end() :]) if end else (raw[:LONGEST_HEADERS], b"")


def _parse(head: bytes) -> Message:
    return HeaderParser().parsestr(head.decode(errors="replace").replace("\0", ""))


def _of_kind(message: _Piece, kind: str) -> list[_Piece]:
    return [part for part in message.parts if part.kind == kind]


def _return_address(message: _Piece, bounce_address: str) -> tuple[str, str] | None:
    mailbox, _, host = bounce_address.partition("@")
    pattern = re.compile(
        rf"\b{re.escape(mailbox)}\+(\d{{1,18}})-([0-9a-f]{{20}})@{re.escape(host)}\b",
        re.IGNORECASE,
    )
    for text in _places(message):
        if found := pattern.search(text):
            return found[1], found[2]
    return None


def _places(message: _Piece) -> Iterator[str]:
    """Where a return address may stand: whom the report is for, then what it says of the mail."""
    for name in SENT_TO:
        yield from map(str, message.headers.get_all(name, []))
    for report in _of_kind(message, "message/feedback-report"):
        for block in report.blocks():
            yield _text(block, "Original-Mail-From")
    for returned in _of_kind(message, "message/rfc822"):
        yield _text(_Piece(returned.body.lstrip(b"\r\n")).headers, "Return-Path")


def _text(message: Message, name: str) -> str:
    return " ".join(str(message.get(name, "")).split())
