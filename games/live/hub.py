"""Who listens to what, in one process; all of it on one event loop.

A stream owes its page at most one word at any time, however much happens: the word has no
content, so two of them are one. That keeps a slow reader's share of memory constant.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping

from games.live.admission import Admission, Ticket

log = logging.getLogger(__name__)

Send = Callable[[bytes], Awaitable[None]]
Parties = Mapping[str, int]
"""Who is counted for a stream, and how many streams each of them may have."""

CHANGED = b"event: changed\ndata:%s\n\n"
BEAT = b"event: beat\ndata:\n\n"


class Stream:
    """An open page."""

    __slots__ = (
        "admission",
        "busy",
        "is_closed",
        "owed",
        "parties",
        "send",
        "stuck",
        "task",
        "ticket",
    )

    def __init__(self, ticket: Ticket, admission: Admission, parties: Parties, send: Send) -> None:
        self.ticket = ticket
        self.admission = admission
        self.parties = parties
        self.send = send
        # Nothing is told before the page has heard that it is heard; see Hub.release.
        self.busy = True
        self.owed: bytes | None = None
        self.stuck = 0
        self.is_closed = False
        self.task = asyncio.current_task()

    def close(self) -> None:
        """Its request ends here."""
        if not self.is_closed and self.task:
            self.is_closed = True
            self.task.cancel()


class Hub:
    def __init__(self, *, most: int, still: Callable[[Stream], Awaitable[bool]]):
        self.most = most
        self.count = 0
        self.listening: dict[str, set[Stream]] = {}
        self.known: dict[str, str] = {}
        self.parties: Counter[str] = Counter()
        self.still = still
        self.deliveries: set[asyncio.Task[None]] = set()
        self.is_closing = False

    @property
    def is_full(self) -> bool:
        return self.is_closing or self.count >= self.most

    def has_room_for(self, parties: Parties) -> bool:
        return all(self.parties[party] < most for party, most in parties.items())

    def join(self, stream: Stream) -> None:
        self.listening.setdefault(stream.admission.topic, set()).add(stream)
        self.parties.update(stream.parties.keys())
        self.count += 1

    def release(self, stream: Stream, stamp: str) -> None:
        """It has heard this stamp. From now on it is told what happens, and at once what
        happened since it joined."""
        self.known.setdefault(stream.admission.topic, stamp)
        stream.busy = False
        if stream.owed:
            self._start(stream)

    def leave(self, stream: Stream) -> None:
        topic = stream.admission.topic
        listeners = self.listening.get(topic, set())
        listeners.discard(stream)
        if not listeners:
            self.listening.pop(topic, None)
            self.known.pop(topic, None)
        self.count -= 1
        for party in stream.parties:
            self.parties[party] -= 1
            if not self.parties[party]:
                del self.parties[party]

    def tell(self, topics: Iterable[str], stamp: str = "") -> None:
        """Something changed. With the stamp that the page will then have, if it is known: a page
        that has it already need not ask."""
        word = CHANGED % (f" {stamp}".encode() if stamp else b"")
        for topic in topics:
            for stream in self.listening.get(topic, ()):
                self._owe(stream, word)

    def compare(self, stamps: dict[str, str]) -> None:
        """What the database says now; whoever listens hears of what is other than before."""
        for topic, stamp in stamps.items():
            if topic not in self.listening:
                continue
            before = self.known.get(topic)
            self.known[topic] = stamp
            if before is not None and before != stamp:
                self.tell([topic], stamp)

    async def beat(self, every: float) -> None:
        """A sign of life to all, spread over the pause, so that dead connections show."""
        while True:
            streams = [each for listeners in self.listening.values() for each in listeners]
            slices = max(1, int(every * 10))
            for number in range(slices):
                for stream in streams[number::slices]:
                    if stream.busy:
                        stream.stuck += 1
                        if stream.stuck > 2:
                            stream.close()
                    elif not stream.is_closed:
                        self._owe(stream, BEAT)
                await asyncio.sleep(every / slices)

    def close(self) -> None:
        self.is_closing = True
        for listeners in self.listening.values():
            for stream in listeners:
                stream.close()

    def _owe(self, stream: Stream, word: bytes) -> None:
        # A sign of life never takes the place of news.
        if stream.owed is None or stream.owed is BEAT:
            stream.owed = word
        elif word is not BEAT and word != stream.owed:
            stream.owed = CHANGED % b""
        if not stream.busy:
            self._start(stream)

    def _start(self, stream: Stream) -> None:
        stream.busy = True
        delivery = asyncio.create_task(self._deliver(stream))
        self.deliveries.add(delivery)
        delivery.add_done_callback(self.deliveries.discard)

    async def _deliver(self, stream: Stream) -> None:
        try:
            while stream.owed and not stream.is_closed:
                word, stream.owed = stream.owed, None
                if word is not BEAT and stream.admission.guarded and not await self.still(stream):
                    stream.close()
                    return
                await stream.send(word)
                stream.stuck = 0
        except Exception:
            log.exception("a stream cannot go on")
            stream.close()
        finally:
            stream.busy = False
