"""A real SMTP server on loopback that can refuse, stall, drop and go away."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from email import message_from_bytes
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tools.local_servers import free_port


class PostOffice:
    """Keeps what it accepted over which connection; `mood` is what it does with the next ones.

    `at_rcpt` and `at_data` are what it answers there, if anything but yes.
    """

    def __init__(self) -> None:
        self.mood = "works"
        self.at_rcpt = self.at_data = ""
        self.connections = 0
        self.tried: list[str] = []
        self.letters: list[Message] = []
        self.envelopes: list[Envelope] = []
        self.before_the_ok: Callable[[], None] = lambda: None
        self.accepted: list[tuple[str, Session]] = []
        self.said_goodbye: list[Session] = []
        self.port = free_port()
        self.controller: Controller | None = None

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, host: str, answer: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = host
        while self.mood == "hangs":
            await asyncio.sleep(0.02)
        return answer

    async def handle_RCPT(  # noqa: N802
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        address: str,
        options: list[str],
    ) -> str:
        self.tried.append(address)
        if self.mood == "busy":
            return "451 try again later"
        if self.at_rcpt:
            return self.at_rcpt
        if address.startswith("nobody"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.mood == "stalls":
            await asyncio.sleep(3)
            return "451 too late"
        if self.mood == "drops":
            assert server.transport
            server.transport.close()
            return "451 nobody hears this"
        if self.at_data:
            return self.at_data
        message = message_from_bytes(envelope.content or b"")  # type: ignore[arg-type]
        self.accepted.append((message["Message-ID"], session))
        self.letters.append(message)
        self.envelopes.append(envelope)
        await asyncio.to_thread(self.before_the_ok)
        return "250 OK"

    async def handle_QUIT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.said_goodbye.append(session)
        return "221 Bye"

    def open(self) -> None:
        self.controller = Controller(
            self, hostname="127.0.0.1", port=self.port, enable_SMTPUTF8=False
        )
        self.controller.start()

    def close(self) -> None:
        if self.controller:
            self.controller.stop()
            self.controller = None

    @property
    def copies(self) -> Counter[str]:
        return Counter(message_id for message_id, _ in self.accepted)

    @property
    def doubled(self) -> Counter[str]:
        """Copies beyond the first."""
        return self.copies - Counter(set(self.copies))

    @property
    def cut(self) -> Counter[str]:
        """Mails that were the last of a connection on which nobody said goodbye.

        Their senders may not have lived to see the OK, or to write it down.
        """
        last = {id(session): (message_id, session) for message_id, session in self.accepted}
        return Counter(each for each, session in last.values() if session not in self.said_goodbye)

    def __enter__(self) -> PostOffice:
        self.open()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
