"""What a mail server's refusal means."""

from __future__ import annotations

import smtplib
from dataclasses import dataclass

CLOSING = 421


@dataclass(frozen=True)
class Verdict:
    """Why a mail was not taken; whether it ever will be; whether the server takes others."""

    reason: str
    permanent: bool
    server_works: bool


def judge(error: Exception) -> Verdict:
    match error:
        case smtplib.SMTPRecipientsRefused(recipients=refusals):
            code, reply = next(iter(refusals.values()))
            return _about_this_mail(code, reply)
        case smtplib.SMTPDataError(smtp_code=code, smtp_error=reply):
            return _about_this_mail(code, reply)
        case smtplib.SMTPResponseException(smtp_code=code, smtp_error=reply):
            # It will not let us in, or does not like our own address: nobody's mail gets out.
            return Verdict(_said(code, reply), permanent=False, server_works=False)
    return Verdict(f"{type(error).__name__}: {error}", permanent=False, server_works=False)


def _about_this_mail(code: int, reply: bytes | str) -> Verdict:
    return Verdict(_said(code, reply), permanent=code >= 500, server_works=code != CLOSING)


def _said(code: int, reply: bytes | str) -> str:
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    return f"{code} {' '.join(text.split())}"
