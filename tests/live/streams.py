"""The process of the streams, started by tests, and pages that listen to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from tests.environment import ROOT
from tools.local_servers import free_port, wait_for_port
from tools.patience import PATIENCE

COMMAND = [sys.executable, "-m", "marrakech_site.live"]


class LiveProcess:
    """A real process beside the database of the test; it can be killed and started again."""

    def __init__(self, **variables: str) -> None:
        self.port = free_port()
        self.variables = variables
        self.process: subprocess.Popen[bytes] | None = None
        self.log: Path | None = None
        self.listeners: list[Listener] = []

    def start(self) -> None:
        database = connection.settings_dict
        url = f"sqlite:///{database['NAME']}"
        if database["ENGINE"].endswith("postgresql"):
            url = "postgres://{USER}@{HOST}:{PORT}/{NAME}".format(**database)
        environ = {
            **os.environ,
            "DATABASE_URL": url,
            "SECRET_KEY": settings.SECRET_KEY,
            "LIVE_PORT": str(self.port),
            "LOG_LEVEL": "ERROR",
            **self.variables,
        }
        with self.log.open("ab") if self.log else nullcontext() as log:
            self.process = subprocess.Popen(COMMAND, cwd=ROOT, env=environ, stderr=log)
        wait_for_port(self.port)

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        assert self.process
        self.process.send_signal(sign)
        return self.process.wait(PATIENCE)


@contextmanager
def live_process(log: Path | None = None, **variables: str) -> Iterator[LiveProcess]:
    live = LiveProcess(**variables)
    live.log = log
    live.start()
    try:
        yield live
    finally:
        for listener in live.listeners:
            listener.close()
        if live.process and live.process.poll() is None:
            live.stop()


class Listener:
    """A page that listens."""

    def __init__(self, live: LiveProcess, query: str, session: str = "", **headers: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)
        live.listeners.append(self)
        if session:
            headers["Cookie"] = f"{settings.SESSION_COOKIE_NAME}={session}"
        self.connection.request("GET", f"/live/?{query}", headers=headers)
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        self.stamp = self.next()[1] if self.status == 200 else ""

    def next(self) -> tuple[str, str]:
        """The next event with its data; nothing once the stream has ended."""
        event, data = "", ""
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(":")
            if name == "event":
                event = value.strip()
            elif name == "data":
                data = value.strip()
            elif not line.strip() and event:
                return event, data
        return "", ""

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def topic(game: Any) -> str:
    return f"game={game.public_id}"
