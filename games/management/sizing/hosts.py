"""Hosts: processes of Souk that share nothing but the addresses of their servers.

Where the system lets us, each host has a network of its own (a namespace of Linux, joined to
the others by a bridge) and can reach only what the environment names. Elsewhere hosts differ by
their ports and data folders.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from games.workers import BOTS_QUEUE, MAIL_QUEUE, SWEEPS_QUEUE

# Of this process alone: two towns may be measured on one machine, and one may have been killed.
BRIDGE = f"souk-{os.getpid()}"
NETWORK = "10.213.77"
SERVERS = f"{NETWORK}.1"
WORKER = ["worker", "--without-gossip", "--without-mingle", "--without-heartbeat"]
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "marrakech_site"]
ROLES = {
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
    prefix: list[str]
    variables: dict[str, str]
    processes: dict[str, subprocess.Popen[bytes]]

    def start(self, role: str) -> None:
        self.processes[role] = subprocess.Popen(  # noqa: S603
            [*self.prefix, *ROLES[role]], env={**os.environ, **self.variables}
        )

    def prepare(self) -> None:
        """What a release needs on each host: files, and tables where the database is one."""
        from tests import prepared

        shutil.copytree(prepared.static_files(), self.data / "static")
        if "DATABASE_URL" not in self.variables:
            prepared.copy(self.data / "souk.sqlite3")

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
    raise TimeoutError(f"nobody answers at {address}")


def networks_are_possible() -> bool:
    return os.geteuid() == 0 and shutil.which("ip") is not None


@contextmanager
def bridge() -> Iterator[None]:
    _ip("link", "add", BRIDGE, "type", "bridge")
    try:
        _ip("addr", "add", f"{SERVERS}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        yield
    finally:
        _ip("link", "del", BRIDGE)


@contextmanager
def network(number: int) -> Iterator[str]:
    """A namespace; its address."""
    name, address = f"{BRIDGE}-{number}", f"{NETWORK}.{10 + number}"
    outside, inside = f"{BRIDGE}-o{number}", f"{BRIDGE}-i{number}"
    _ip("netns", "add", name)
    try:
        _ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name)
        _ip("link", "set", outside, "master", BRIDGE, "up")
        _ip("-n", name, "addr", "add", f"{address}/24", "dev", inside)
        _ip("-n", name, "link", "set", inside, "up")
        _ip("-n", name, "link", "set", "lo", "up")
        yield address
    finally:
        _ip("netns", "del", name)


@contextmanager
def hosts(
    count: int, *, folder: Path, apart: bool, variables: dict[str, str]
) -> Iterator[list[Host]]:
    """So many hosts, with nothing running on them yet."""
    from tests.servers import free_port

    with ExitStack() as stack:
        found = []
        for number in range(count):
            own = {"SOUK_DATA": str(folder / f"host-{number}")}
            if apart:
                address, ports = stack.enter_context(network(number)), (8000, 8001)
                prefix = ["ip", "netns", "exec", f"{BRIDGE}-{number}"]
                own |= {"HOST": address, "ALLOWED_HOSTS": address, "HTTPS": "off"}
            else:
                address, ports, prefix = "127.0.0.1", (free_port(), free_port()), []
            own["PORT"], own["LIVE_PORT"] = map(str, ports)
            web, live = (f"{address}:{port}" for port in ports)
            host = Host(web, live, prefix, {**variables, **own}, {})
            stack.callback(host.stop)
            found.append(host)
        yield found


def memory(process: int) -> int:
    """Bytes of a process and all that it started; what they share counts once."""
    total = 0
    for pid in (process, *_descendants(process)):
        try:
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            continue
    return total


def processor(process: int) -> float:
    """Seconds that a process and all that it started have worked, those that ended included."""
    ticks = 0
    for pid in (process, *_descendants(process)):
        try:
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, words[11:15]))
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def servers_called(name: str) -> list[int]:
    """The processes of this name that were started here."""
    return [pid for pid in _children(os.getpid()) if _name(pid) == name]


def _name(process: int) -> str:
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _descendants(process: int) -> list[int]:
    found = []
    for child in _children(process):
        found += [child, *_descendants(child)]
    return found


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)  # noqa: S603, S607
