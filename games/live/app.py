"""What a browser talks to: `/live/?game=…` or `/live/?home`, as an event stream."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from axes.helpers import get_client_ip_address
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.handlers.asgi import ASGIRequest
from django.db import Error as AnyDatabaseError
from django.db import close_old_connections

from games import workers
from games.cookies import with_old_names
from games.live import admission, feeds
from games.live.admission import Admission, Ticket
from games.live.hub import Hub, Parties, Stream
from games.selectors.overdue import database_now
from games.selectors.stamps import stamps_of
from games.services import health

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
T = TypeVar("T")

PATH = "/live/"
BEAT_EVERY = 25.0
SEEN_EVERY = 15.0
LIFE = (10 * 60.0, 15 * 60.0)
"""Then a page opens a new stream, which asks anew who is there."""
THREADS = 4
HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"private, no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
)
HERE = "event: here\nretry: %d\nid: %s\ndata: %s\n\n"
LONGEST_KEY = 64
OF_A_NETWORK = 10
"""So many times what one player may have is for all players of a network."""


class Live:
    """The ASGI application."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(THREADS, "live")
        self.hub = Hub(
            most=settings.LIVE_STREAMS,
            still=self._still_admitted,
        )
        self.work: list[asyncio.Task[None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            try:
                await self._answer(scope, receive, send)
            except SuspiciousOperation:
                await _refuse(send, 400)
            except AnyDatabaseError as error:
                # Before the first word: the page asks by itself, and tries again.
                log.warning("no stream without a database: %s", error)
                await _refuse(send, 503)

    # The process.

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        feed = feeds.Feeds(self.hub, redis_url=settings.REDIS_URL, look=self._look)
        self.work = [
            asyncio.create_task(each)
            for each in (
                feed.watch_database(),
                feed.listen(),
                self.hub.beat(BEAT_EVERY),
                self._say_that_it_lives(),
            )
        ]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in self.work:
            task.cancel()
        await send({"type": "lifespan.shutdown.complete"})

    async def _say_that_it_lives(self) -> None:
        while True:
            with suppress(Exception):
                await self._in_thread(_beat)
            await asyncio.sleep(SEEN_EVERY)

    async def _look(self, topics: Collection[str]) -> dict[str, str]:
        return await self._in_thread(lambda: stamps_of(topics))

    async def _still_admitted(self, stream: Stream) -> bool:
        admitted = await self._in_thread(lambda: admission.admit(stream.ticket))
        return admitted is not None and admitted.topic == stream.admission.topic

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.threads, _apart, work)

    # A page.

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = ASGIRequest(scope, None)  # type: ignore[arg-type]
        ticket = _ticket(request)
        if status := _refusal(request) or (503 if self.hub.is_full else 0):
            await _refuse(send, status)
            return
        admitted = await self._in_thread(lambda: admission.admit(ticket)) if ticket else None
        if ticket is None or admitted is None:
            await _refuse(send, 404)
            return
        parties, origin = _parties(admitted, request), _origin_headers(request)
        if not self.hub.has_room_for(parties):
            await _refuse(send, 429)
            return
        del request
        await self._stream(ticket, admitted, parties, origin, receive, send)

    async def _stream(
        self,
        ticket: Ticket,
        admitted: Admission,
        parties: Parties,
        origin: tuple[tuple[bytes, bytes], ...],
        receive: Receive,
        send: Send,
    ) -> None:
        async def say(word: bytes) -> None:
            await send({"type": "http.response.body", "body": word, "more_body": True})

        stream = Stream(ticket, admitted, parties, say)
        self.hub.join(stream)
        try:
            # Listening already, so nothing can happen unnoticed between this stamp and the next.
            stamp = await self._in_thread(lambda: admission.current_stamp(admitted.topic))
            await send(
                {"type": "http.response.start", "status": 200, "headers": [*HEADERS, *origin]}
            )
            pause = random.randint(2000, 20_000)  # noqa: S311
            await say((HERE % (pause, stamp, stamp)).encode())
            self.hub.release(stream, stamp)
            async with asyncio.timeout(random.uniform(*LIFE)):  # noqa: S311
                await _gone(receive)
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            if not stream.is_closed:
                raise
        finally:
            stream.is_closed = True
            self.hub.leave(stream)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"cache-control", b"private, no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _ticket(request: ASGIRequest) -> Ticket | None:
    key = with_old_names(request.COOKIES).get(settings.SESSION_COOKIE_NAME, "")
    if not key.isalnum() or len(key) > LONGEST_KEY:
        key = ""
    if "home" in request.GET:
        return Ticket(key, None)
    game = request.GET.get("game", "")
    return Ticket(key, game) if game.isalnum() and len(game) <= LONGEST_KEY else None


def _parties(admitted: Admission, request: ASGIRequest) -> Parties:
    """Who is counted: a player, and the network, which has room for several of them: anybody gets
    as many guests as they like."""
    most, network = settings.LIVE_STREAMS_OF_ONE, get_client_ip_address(request) or ""
    if admitted.player is None:
        return {f"visitors from {network}": most}
    return {f"player {admitted.player}": most, f"players from {network}": most * OF_A_NETWORK}


def _refusal(request: ASGIRequest) -> int:
    """The status for what is no request for a stream of ours; 0 if nothing is wrong."""
    own = f"{request.scheme}://{request.get_host()}"
    if request.path_info != PATH:
        return 404
    if request.method != "GET":
        return 405
    # No other site gets a stream with the cookies of its visitor.
    origin = request.headers.get("Origin", own)
    return 0 if origin in (own, settings.SITE_URL, *settings.LIVE_ORIGINS) else 403


def _origin_headers(request: ASGIRequest) -> tuple[tuple[bytes, bytes], ...]:
    """Where there is no proxy, the page comes from another port of this machine."""
    origin = request.headers.get("Origin", "")
    if origin not in settings.LIVE_ORIGINS:
        return ()
    return (
        (b"access-control-allow-origin", origin.encode()),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"Origin"),
    )


def _apart(work: Callable[[], T]) -> T:
    """In a thread, which has a connection of its own; one that broke is not used again."""
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()


def _beat() -> None:
    health.record_heartbeat(role=workers.LIVE, now=database_now())
