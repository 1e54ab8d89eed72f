"""What streams to open pages cost: memory and processor while nothing happens, and how soon a
page hears of a change."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools import processes
from tools.benchmarks.measure import Measurement, run_child

STREAMS, CHANGES = 5_000, 1_000
"""Pages that are open, and changes a second."""
FEW = 5
"""With fewer repeats it is a try with a tenth of the pages."""
ASKED_EVERY = 2.0
AT_ONCE = 50
KIB = 1024


def run(repeats: int) -> list[Measurement]:
    from tools import local_servers

    with tempfile.TemporaryDirectory() as folder, local_servers.redis(Path(folder)) as redis:
        port = local_servers.free_port()
        found = run_child(
            __name__,
            str(repeats),
            REDIS_URL=redis.url,
            LIVE_PORT=str(port),
            LIVE_STREAMS_OF_ONE=str(STREAMS),
            LIVE_STREAMS=str(2 * STREAMS),
        )
    pages = found["streams"]

    def measured(name: str, unit: str, value: float, target: float, more: bool) -> Measurement:
        return Measurement(name, unit, value, value, target, more)

    return [
        measured(f"memory of each of {pages:,} idle streams", "KiB", found["kib"], 64, False),
        measured(
            "processor of an idle page, asking to listening", "times", found["less"], 50, True
        ),
        measured(
            f"{found['rate']:,.0f} changes a second, median", "ms", found["median"], 50, False
        ),
        measured("99 % of them", "ms", found["most"], 500, False),
    ]


def measure(repeats: int) -> dict[str, Any]:
    share = 1 if repeats >= FEW else 10
    streams, changes = STREAMS // share, CHANGES // share
    games, asking = _site(changes)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    process = subprocess.Popen([sys.executable, "-m", "marrakech_site.live"])
    try:
        return asyncio.run(_measure(process.pid, games, streams, changes, asking, repeats))
    finally:
        process.terminate()
        process.wait()


def _site(changes: int) -> tuple[list[str], float]:
    """Public games, one for each change of a second and one in which nothing happens; and the
    seconds of processor that a page costs that asks whether it has changed."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.utils import timezone

    from games.engine.games import RULESETS
    from games.models import Game, Player
    from games.selectors.table import current_stamp

    call_command("migrate", verbosity=0)
    now = timezone.now()
    creator = Player.objects.create_user("yasmin", "yasmin@souk.example")
    Game.objects.bulk_create(
        Game(
            ruleset=next(iter(RULESETS)),
            size=2,
            pace=Game.Pace.DAILY,
            visibility=Game.Visibility.PUBLIC,
            rated=False,
            creator=creator,
            seed=bytes(32),
            commitment="0" * 64,
            created_at=now,
            started_at=now,
            status=Game.Status.RUNNING,
        )
        for _ in range(changes + 1)
    )
    games = list(Game.objects.values_list("public_id", flat=True))
    client = Client(headers={"Host": "127.0.0.1"})
    address = f"/g/{games[0]}/changes/?stamp={current_stamp(games[0])}"
    assert client.get(address).status_code == 204
    started, times = time.process_time(), 300
    for _ in range(times):
        client.get(address)
    return games, (time.process_time() - started) / times / ASKED_EVERY


async def _measure(
    pid: int, games: list[str], streams: int, changes: int, asking: float, repeats: int
) -> dict[str, Any]:
    await _until_it_answers()
    before = processes.memory(pid)
    heard: dict[str, float] = {}
    delays: list[float] = []
    room = asyncio.Semaphore(AT_ONCE)
    idle, busy = games[0], games[1:]
    places = [busy[number] if number < len(busy) else idle for number in range(streams)]
    opened = await asyncio.gather(*(_open(place, room, heard, delays) for place in places))
    await asyncio.sleep(2)
    kib = (processes.memory(pid) - before) / KIB / streams
    sys.stderr.write(f"{streams:,} streams are open, {kib:.1f} KiB each\n")
    # Long enough for a sign of life to every page.
    started, spent = time.monotonic(), processes.processor(pid)
    await asyncio.sleep(30)
    listening = (processes.processor(pid) - spent) / (time.monotonic() - started) / streams
    rate = await _change(busy, heard, seconds=2 * repeats, changes=changes)
    for reading, writer in opened:
        reading.cancel()
        writer.close()
    return {
        "streams": streams,
        "kib": kib,
        "less": asking / max(listening, 1e-9),
        "rate": rate,
        "median": 1000 * statistics.median(delays),
        "most": 1000 * statistics.quantiles(delays, n=100)[98],
    }


async def _open(
    game: str, room: asyncio.Semaphore, heard: dict[str, float], delays: list[float]
) -> tuple[asyncio.Task[None], asyncio.StreamWriter]:
    from django.conf import settings

    async with room:
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.LIVE_PORT)
        asked = f"GET /live/?game={game} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        writer.write(asked.encode())
        assert b" 200 " in await reader.readline()
        await reader.readuntil(b"event: here")
    return asyncio.create_task(_read(game, reader, heard, delays)), writer


async def _read(
    game: str, reader: asyncio.StreamReader, heard: dict[str, float], delays: list[float]
) -> None:
    while line := await reader.readline():
        if line.startswith(b"event: changed") and game in heard:
            delays.append(time.perf_counter() - heard.pop(game))


async def _change(
    games: list[str], heard: dict[str, float], *, seconds: int, changes: int
) -> float:
    """Ring for each game once a second, in an even stream; how many a second it was."""
    import redis.asyncio
    from django.conf import settings

    from games import bell

    server = redis.asyncio.Redis.from_url(settings.REDIS_URL)
    random.shuffle(games)
    started = time.perf_counter()
    total = seconds * changes
    for number in range(total):
        game = games[number % len(games)]
        heard[game] = time.perf_counter()
        await server.publish(bell.channel(), bell.game_topic(game))
        ahead = started + (number + 1) / changes - time.perf_counter()
        if ahead > 0:
            await asyncio.sleep(ahead)
    rate = total / (time.perf_counter() - started)
    await asyncio.sleep(1)
    await server.aclose()
    return rate


async def _until_it_answers() -> None:
    from django.conf import settings

    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", settings.LIVE_PORT)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError("the process of the streams does not answer")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))) + "\n")
