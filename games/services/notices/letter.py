"""A mail with text, HTML and the picture that the HTML shows, put together as bytes.

Python's own writer goes through every part line by line for each mail, which would take longer
than all the rest of a letter. Here a picture is encoded once and used for all its readers.
"""

from __future__ import annotations

import secrets
from binascii import b2a_qp
from collections.abc import Sequence
from email.header import Header
from email.message import Message
from email.policy import compat32
from email.utils import formataddr, formatdate, parseaddr
from typing import Any

from django.core.mail import BadHeaderError, EmailMultiAlternatives

CRLF = b"\r\n"
LINE_LENGTH = 78


class Letter(EmailMultiAlternatives):
    """`picture` is a finished part: headers and content, as bytes.

    `author` is who writes, where that is not `from_email`: the address of the envelope, to which
    a mail goes back that cannot be delivered.
    """

    picture: bytes | None = None
    author = ""

    def message(self) -> Any:  # type: ignore[override]
        texts = [_text("plain", self.body)]
        texts += [_text("html", alternative[0]) for alternative in self.alternatives]
        if self.picture:
            inner = _boundary()
            alternatives = CRLF.join(
                [f'Content-Type: multipart/alternative; boundary="{inner}"'.encode(), b"", b""]
            )
            parts = [alternatives + _joined(texts, inner), self.picture]
            written = Written("related", parts, '; type="multipart/alternative"')
        else:
            written = Written("alternative", texts)
        written["Subject"] = str(self.subject)
        written["From"] = _address(self.author or self.from_email)
        written["To"] = ", ".join(map(_address, self.to))
        if self.reply_to:
            written["Reply-To"] = ", ".join(map(_address, self.reply_to))
        written["Date"] = formatdate()
        for name, value in self.extra_headers.items():
            written[name] = value
        return written


class Written(Message):
    """The headers, checked and encoded, and the body that follows them."""

    def __init__(self, subtype: str, parts: Sequence[bytes], more: str = "") -> None:
        super().__init__()
        boundary = _boundary()
        self["MIME-Version"] = "1.0"
        self["Content-Type"] = f'multipart/{subtype}; boundary="{boundary}"{more}'
        self.body = _joined(parts, boundary)

    def __setitem__(self, name: str, value: str) -> None:
        if "\n" in value or "\r" in value:
            raise BadHeaderError(f"the header {name} has several lines")
        if not value.isascii():
            value = Header(value, "utf-8", header_name=name).encode()
        super().__setitem__(name, value)

    def as_bytes(self, unixfrom: bool = False, linesep: str = "\n") -> bytes:  # type: ignore[override]
        headers = b"".join(_header(name, str(value)) for name, value in self.items())
        written = headers + CRLF + self.body
        return written if linesep == "\r\n" else written.replace(CRLF, linesep.encode())


def _header(name: str, value: str) -> bytes:
    line = f"{name}: {value}"
    if len(line) <= LINE_LENGTH:
        return line.encode("ascii") + CRLF
    return compat32.clone(linesep="\r\n").fold_binary(name, value)


def _address(text: str) -> str:
    """A name in any script, and a domain in any."""
    name, address = parseaddr(text)
    local, at, domain = address.rpartition("@")
    return formataddr((name, f"{local}{at}{domain.encode('idna').decode()}"))


def _boundary() -> str:
    return f"souk-{secrets.token_hex(16)}"


def _joined(parts: Sequence[bytes], boundary: str) -> bytes:
    line = b"--" + boundary.encode()
    return b"".join([line + CRLF + part + CRLF for part in parts]) + line + b"--" + CRLF


def _text(subtype: str, text: Any) -> bytes:
    headers = (
        f'Content-Type: text/{subtype}; charset="utf-8"',
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "",
    )
    content = b2a_qp(str(text).encode(), istext=True).replace(b"\n", CRLF)
    return "\r\n".join(headers).encode() + content
