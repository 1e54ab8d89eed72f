"""A mail server with worse moods, which remembers when it took what."""

from __future__ import annotations

import asyncio
import time

from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.notices.post_office import PostOffice


class MoodyPostOffice(PostOffice):
    def __init__(self) -> None:
        super().__init__()
        self.taken_at: dict[str, list[float]] = {}
        self.refused = 0

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        while self.mood == "hangs":
            await asyncio.sleep(0.1)
        if self.mood == "refuses":
            self.refused += 1
            return "554 5.7.1 Relay access denied"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        before = len(self.accepted)
        answer = await super().handle_DATA(server, session, envelope)
        for message_id, _ in self.accepted[before:]:
            self.taken_at.setdefault(message_id, []).append(time.monotonic())
        return answer
