"""A background process says that it is alive to whoever watches it: systemd by its socket, the
health check of a container by a file. Without either it says nothing."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

from celery import bootsteps
from celery.beat import PersistentScheduler

EVERY = 10


def tell() -> None:
    if file := os.environ.get("ALIVE_FILE"):
        Path(file).touch()
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as watcher:
            # A leading @ stands for a name that is in no file system.
            watcher.connect(address.replace("@", "\0", 1))
            watcher.sendall(b"READY=1\nWATCHDOG=1")


class Alive(bootsteps.StartStopStep):
    """A part of every worker."""

    requires = ("celery.worker.components:Timer",)

    def start(self, parent: Any) -> None:
        tell()
        parent.timer.call_repeatedly(EVERY, tell)


class Scheduler(PersistentScheduler):
    """Beat, which wakes up at least every few seconds."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        tell()
        return super().tick(*args, **kwargs)
