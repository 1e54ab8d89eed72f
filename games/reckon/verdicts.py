"""What a mail server's refusal means.

A refusal speaks of the address only if it says so: with a status of RFC 3463 whose subject is
the address (x.1.x), in answer to RCPT. Policy, content and relaying are our trouble, not the
player's, and no address is given up for them.
"""

from __future__ import annotations

import re
import smtplib
from dataclasses import dataclass
from enum import Enum

CLOSING = 421
STATUS = re.compile(r"\s*([245])\.(\d{1,3})\.(\d{1,3})\b")
ABOUT_THE_READER = frozenset({0, 1, 2, 3, 4, 6, 10})
"""Details of x.1.x: no such mailbox, system or syntax, moved, no mail here. 7 and 8 are about
the sender, 5 is good news, 9 is about a relay."""
MAYBE_NO_MAILBOX = frozenset({550, 551, 553})
"""RFC 5321 has these for a missing mailbox and for policy alike."""


class About(Enum):
    ADDRESS = "nobody is there"
    PERHAPS_ADDRESS = "perhaps nobody is there"
    MAIL = "this mail"
    SERVER = "the mail server, or what it thinks of us"


@dataclass(frozen=True)
class Verdict:
    """Why a mail was not taken; whether another try makes sense, and whether it was a flat no."""

    reason: str
    about: About
    again: bool = True
    flat: bool = False

    @property
    def server_works(self) -> bool:
        """Whether there is a point in going on with the next mail."""
        return self.about is not About.SERVER

    @property
    def speaks_against_us(self) -> bool:
        """Many of these in a row are not about the mails that they refuse."""
        return self.flat or not self.server_works


def judge(error: Exception) -> Verdict:
    """Of an error that came while a mail was handed over."""
    match error:
        case smtplib.SMTPRecipientsRefused(recipients=refusals):
            code, reply = next(iter(refusals.values()))
            return _refused(code, _said(code, reply), at_the_address=True)
        case smtplib.SMTPDataError(smtp_code=code, smtp_error=reply):
            return _refused(code, _said(code, reply), at_the_address=False)
        case ValueError() | smtplib.SMTPNotSupportedError():
            # The letter or its address cannot be put into the words of SMTP at all.
            return Verdict(_named(error), About.MAIL, again=False)
    return judge_server(error)


def judge_server(error: Exception) -> Verdict:
    """It will not let us in, or does not like our own address: nobody's mail gets out."""
    if isinstance(error, smtplib.SMTPResponseException):
        return Verdict(_said(error.smtp_code, error.smtp_error), About.SERVER)
    return Verdict(_named(error), About.SERVER)


def is_about_the_reader(status: str) -> bool:
    """Whether a status of RFC 3463 says that mail to this address is pointless."""
    found = STATUS.match(status)
    return bool(found and found[1] == "5" and found[2] == "1" and int(found[3]) in ABOUT_THE_READER)


def speaks_of_the_reader(status: str, said: str) -> bool:
    """Whether a report of a failed delivery may be about the address: by its status or, where
    that says nothing, by what the last server said."""
    if is_about_the_reader(status):
        return True
    if not status.startswith("5.0"):
        return False
    code, _, rest = said.strip().replace("-", " ", 1).partition(" ")
    if STATUS.match(rest):
        return is_about_the_reader(rest)
    return code.isdecimal() and int(code) in MAYBE_NO_MAILBOX


def _refused(code: int, reason: str, *, at_the_address: bool) -> Verdict:
    if code == CLOSING:
        return Verdict(reason, About.SERVER)
    if code < 500:
        return Verdict(reason, About.MAIL)
    status = reason.partition(" ")[2]
    if is_about_the_reader(status):
        if at_the_address:
            return Verdict(reason, About.ADDRESS, again=False, flat=True)
        return Verdict(reason, About.PERHAPS_ADDRESS, flat=True)
    if at_the_address and code in MAYBE_NO_MAILBOX and not STATUS.match(status):
        return Verdict(reason, About.PERHAPS_ADDRESS, flat=True)
    return Verdict(reason, About.MAIL, flat=True)


def _said(code: int, reply: bytes | str) -> str:
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    return f"{code} {' '.join(text.split())}"


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
