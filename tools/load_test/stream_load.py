"""Pages that are open: streams to the live processes of all hosts, held while nothing happens."""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice

AT_ONCE = 50
SETTLES_IN = 2
"""Seconds until a process is done with the last that came."""


@dataclass(frozen=True)
class StreamCost:
    pages: int
    bytes: int
    """That the live processes have in memory meanwhile."""
    each: float
    """What one page takes of them."""
    work: float
    """Seconds of processor in a second, for all."""


async def hold_streams(
    addresses: list[str],
    games: list[str],
    count: int,
    seconds: float,
    *,
    memory: Callable[[], int],
    processor: Callable[[], float],
) -> StreamCost:
    """Open so many pages, spread over games and hosts, and see what they cost."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    room = asyncio.Semaphore(AT_ONCE)
    places = islice(zip(cycle(addresses), cycle(games), strict=False), count)
    before = memory()
    pages = await asyncio.gather(*(_open(address, game, room) for address, game in places))
    await asyncio.sleep(SETTLES_IN)
    worked, start = processor(), time.monotonic()
    await asyncio.sleep(seconds)
    work = (processor() - worked) / (time.monotonic() - start)
    after, held = memory(), [page for page in pages if not page[0].at_eof()]
    for _, writer in pages:
        writer.close()
    return StreamCost(len(held), after, (after - before) / count, work)


async def _open(
    address: str, game: str, room: asyncio.Semaphore
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.partition(":")
    async with room:
        reader, writer = await asyncio.open_connection(host, int(port))
        asked = f"GET /live/?game={game} HTTP/1.1\r\nHost: {address}\r\n\r\n"
        writer.write(asked.encode())
        await reader.readuntil(b"event: here")
    return reader, writer
