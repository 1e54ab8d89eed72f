"""Hosts: the roles of Souk as processes, each host with ports and a data folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from games.workers import BOTS_QUEUE, MAIL_QUEUE, SWEEPS_QUEUE
from tools import prepared_database
from tools.local_servers import LOCAL, free_port

WORKER = ["worker", "--without-gossip", "--without-mingle", "--without-heartbeat"]
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "marrakech_site"]
ROLE_COMMANDS = {
    "web": [sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"],
    "live": [sys.executable, "-m", "marrakech_site.live"],
    "sweeps": [*CELERY, *WORKER, "--queues", SWEEPS_QUEUE, "--pool", "solo"],
    "worker": [*CELERY, *WORKER, "--queues", MAIL_QUEUE, "--concurrency", "2"],
    "bots": [*CELERY, *WORKER, "--queues", BOTS_QUEUE, "--pool", "solo"],
    "beat": [*CELERY, "beat", "--pidfile="],
}


@dataclass
class Host:
    """One machine, as far as Souk can tell."""

    address: str
    live: str
    variables: dict[str, str]
    processes: dict[str, subprocess.Popen[bytes]]

    def start(self, role: str) -> None:
        self.processes[role] = subprocess.Popen(
            ROLE_COMMANDS[role], env={**os.environ, **self.variables}
        )

    def prepare(self) -> None:
        """What a release needs on each host: files, and tables where the database is one."""
        shutil.copytree(prepared_database.static_files(), self.data / "static")
        if "DATABASE_URL" not in self.variables:
            prepared_database.copy(self.data / "souk.sqlite3")

    @property
    def data(self) -> Path:
        return Path(self.variables["SOUK_DATA"])

    def wait_until_served(self) -> None:
        for address in (self.address, self.live):
            _wait_for_an_answer(address)

    def stop(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for_an_answer(address: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://{address}/robots.txt", timeout=5).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"no answer from {address}")


@contextmanager
def hosts(count: int, *, folder: Path, variables: dict[str, str]) -> Iterator[list[Host]]:
    """So many hosts, with nothing running on them yet."""
    found = []
    try:
        for number in range(count):
            ports = free_port(), free_port()
            own = {"SOUK_DATA": str(folder / f"host-{number}")}
            own["PORT"], own["LIVE_PORT"] = map(str, ports)
            web, live = (f"{LOCAL}:{port}" for port in ports)
            found.append(Host(web, live, {**variables, **own}, {}))
        yield found
    finally:
        for host in found:
            host.stop()
