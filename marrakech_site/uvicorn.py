"""How uvicorn serves the streams to open pages; `python -m marrakech_site.live` runs it."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
import sys

import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.kept_mail.machine import check_host
from games.live.app import Live

from . import alive

application = Live()


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.alive = asyncio.create_task(_stay_alive())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams end by themselves never; their pages come back, each at a moment of its own.
        application.hub.close()
        await super().shutdown(sockets)


async def _stay_alive() -> None:
    while True:
        alive.tell()
        await asyncio.sleep(alive.EVERY)


def serve() -> None:
    try:
        check_host(settings.HOST, public=settings.PUBLIC)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    # Uvicorn raises the signal that ended it once more; to end is what was asked for.
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: None)
    # One file for each stream.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    Server(
        uvicorn.Config(
            application,
            host=settings.HOST,
            port=settings.LIVE_PORT,
            lifespan="on",
            ws="none",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            limit_concurrency=settings.LIVE_STREAMS + 500,
            timeout_graceful_shutdown=5,
        )
    ).run()
