"""Throw-away PostgreSQL and Redis servers from the Debian packages."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.patience import wait_until

LOCAL = "127.0.0.1"
QUIETLY: dict[str, Any] = {
    "cwd": "/",
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.DEVNULL,
}


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int) -> None:
    wait_until(lambda: _listens(port), every=0.05)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def postgres_binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def postgres_tool(name: str, *arguments: str | Path) -> None:
    binaries = postgres_binaries()
    assert binaries
    subprocess.run([binaries / name, *arguments], check=True)


def redis_binary() -> str | None:
    return shutil.which("redis-server")


def _as_postgres() -> dict[str, Any]:
    """PostgreSQL refuses to run as root; its package made a user for it."""
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


@dataclass
class Postgres:
    """A server that a test may stop and start again on the same port."""

    data: Path
    port: int
    process: subprocess.Popen[Any] | None = None

    @property
    def url(self) -> str:
        return f"postgres://souk@{LOCAL}:{self.port}/souk"

    def start(self) -> None:
        binaries = postgres_binaries()
        assert binaries
        settings: dict[str, Any] = {
            "port": self.port,
            "listen_addresses": LOCAL,
            "unix_socket_directories": "",
            "fsync": "off",
            "max_connections": 200,
        }
        flags = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        command = [str(binaries / "postgres"), "-D", str(self.data), *map(str, flags)]
        options = {**QUIETLY, **_as_postgres()}
        self.process = subprocess.Popen(command, **options)
        wait_for_port(self.port)
        _until_ready(binaries, self.port)

    def stop(self) -> None:
        """At once: connections are cut, and nobody is waited for."""
        if self.process:
            self.process.send_signal(signal.SIGQUIT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


@contextmanager
def postgres_server(folder: Path) -> Iterator[Postgres]:
    """A server in `folder`, with an empty database."""
    binaries = postgres_binaries()
    assert binaries
    data = folder / "data"
    if _as_postgres():
        # pytest's folders are private to root; the server must be able to walk down to its own.
        data = Path(subprocess.check_output(["mktemp", "-d"], text=True, **_as_postgres()).strip())
    subprocess.run(
        [binaries / "initdb", "-D", data, "-U", "souk", "-A", "trust", "-E", "UTF8", "-N"],
        check=True,
        **QUIETLY,
        **_as_postgres(),
    )
    server = Postgres(data, free_port())
    try:
        server.start()
        subprocess.run(
            [binaries / "createdb", "-h", LOCAL, "-p", str(server.port), "-U", "souk", "souk"],
            check=True,
            **QUIETLY,
        )
        yield server
    finally:
        server.stop()
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of an empty database on such a server."""
    with postgres_server(folder) as server:
        yield server.url


def _until_ready(binaries: Path, port: int) -> None:
    command = [str(binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "souk"]
    wait_until(lambda: subprocess.run(command, check=False).returncode == 0)


@dataclass
class Redis:
    """A server that a test may stop and start again on the same port."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{LOCAL}:{self.port}/0"

    def start(self) -> None:
        binary = redis_binary()
        assert binary
        flags = ["--port", str(self.port), "--bind", LOCAL, "--save", ""]
        self.process = subprocess.Popen(
            [binary, *flags], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        wait_for_port(self.port)

    def freeze(self) -> None:
        """It still accepts connections, and never answers."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self.process:
            self.thaw()
            self.process.terminate()
            self.process.wait()
            self.process = None


@contextmanager
def redis(folder: Path) -> Iterator[Redis]:
    server = Redis(folder, free_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()
