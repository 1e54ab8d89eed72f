"""How the process of the streams hears of changes.

By Redis: one subscription for all pages. Whatever was not said there, because the server was
away or a message got lost, shows in the database, which is looked at for all pages together:
more than twice a second while there is no Redis, and now and then otherwise.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Collection

import redis.asyncio
from redis.exceptions import RedisError

from games import bell
from games.live.hub import Hub

log = logging.getLogger(__name__)

OFTEN = 0.4
"""Whoever plays against a bot hears of its move within half a second."""
NOW_AND_THEN = 30.0
SILENT_FOR = 5.0

Look = Callable[[Collection[str]], Awaitable[dict[str, str]]]


class Feeds:
    def __init__(self, hub: Hub, *, redis_url: str, look: Look) -> None:
        self.hub = hub
        self.redis_url = redis_url
        self.look = look
        self.hears = False
        """Whether Redis says what changes."""
        self._missed = asyncio.Event()

    async def watch_database(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            try:
                if self.hub.listening:
                    self.hub.compare(await self.look(list(self.hub.listening)))
            except Exception as error:
                log.warning("the database cannot be looked at: %s", error)
            # Where a look takes long, half of the time is for others.
            pause = NOW_AND_THEN if self.hears else max(OFTEN, clock() - began)
            try:
                await asyncio.wait_for(self._missed.wait(), pause)
                self._missed.clear()
            except TimeoutError:
                continue

    async def listen(self) -> None:
        """For ever; without Redis there is nothing to hear."""
        while self.redis_url:
            try:
                await self._listen()
            except (RedisError, OSError, TimeoutError) as error:
                log.warning("Redis is silent, the database is asked instead: %s", error)
            self.hears = False
            self._missed.set()
            await asyncio.sleep(random.uniform(0.5, 2))  # noqa: S311

    async def _listen(self) -> None:
        server = redis.asyncio.Redis.from_url(
            self.redis_url, socket_connect_timeout=SILENT_FOR, socket_timeout=SILENT_FOR
        )
        async with server, server.pubsub() as news:
            await news.subscribe(bell.channel())
            asked = False
            while True:
                message = await news.get_message(timeout=SILENT_FOR)
                if message is None:
                    if asked:
                        raise TimeoutError("no answer")
                    await asyncio.wait_for(news.ping(), SILENT_FOR)
                    asked = True
                    continue
                asked = False
                if message["type"] == "subscribe":
                    self.hears = True
                    # What happened before we listened shows in the database.
                    self._missed.set()
                elif message["type"] == "message":
                    self.hub.tell(message["data"].decode().split())
