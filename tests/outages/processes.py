"""Souk's own processes, started by tests and surely stopped."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests import environment
from tools.local_servers import free_port, wait_for_port
from tools.patience import PATIENCE

ROOT = Path(environment.__file__).parents[1]
CELERY = [sys.executable, "-m", "celery", "--quiet", "--app", "marrakech_site"]
QUIET = ["--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat"]


@dataclass
class Site:
    data: Path
    smtp_port: int
    database: str = ""
    redis: str = ""
    lease: int = 10
    mail_timeout: int = 60
    """Seconds; a mail server that is only slow, on a busy machine, is waited for."""
    more: dict[str, str] = field(default_factory=dict)
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def variables(self) -> dict[str, str]:
        own = {
            "DJANGO_SETTINGS_MODULE": "marrakech_site.settings",
            "SOUK_DATA": str(self.data),
            "EMAIL_URL": f"smtp://127.0.0.1:{self.smtp_port}",
            "EMAIL_TIMEOUT": str(self.mail_timeout),
            "TURN_MAIL_DELAY": "0",
            "NOTICE_LEASE": str(self.lease),
            "MAIL_RETRY_PAUSE": "1",
            "LOG_LEVEL": "CRITICAL",
        }
        servers = {"DATABASE_URL": self.database, "REDIS_URL": self.redis}
        own |= {name: value for name, value in servers.items() if value}
        return {**os.environ, **own, **self.more}

    def run(self, *arguments: str) -> None:
        subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.variables,
            check=True,
            timeout=3 * PATIENCE,
        )

    def ask(self, *arguments: str) -> str:
        """What a command prints."""
        return subprocess.check_output(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.variables,
            text=True,
            timeout=3 * PATIENCE,
        )

    def worker(self, concurrency: int = 1, *, queues: str = "") -> subprocess.Popen[bytes]:
        pool = ["--pool", "solo"] if concurrency == 1 else ["--concurrency", str(concurrency)]
        served = ["--queues", queues] if queues else []
        return self.start(*CELERY, "worker", *pool, *served, *QUIET)

    def web(self) -> int:
        """Gunicorn, as in production; the port it listens on."""
        port = free_port()
        self.more["PORT"] = str(port)
        self.start(sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn")
        wait_for_port(port)
        return port

    def beat(self, number: int = 0) -> subprocess.Popen[bytes]:
        schedule = str(self.data / f"beat-{number}")
        return self.start(*CELERY, "beat", "--pidfile=", "--schedule", schedule)

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.variables,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.children.append(child)
        return child

    def kill(self, child: subprocess.Popen[bytes]) -> None:
        """No goodbye: SIGKILL for the process and all it started."""
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        self.children.remove(child)

    def stop(self) -> None:
        for child in list(self.children):
            self.kill(child)

    def states(self) -> dict[str, int]:
        counts = "SELECT state, count(*) FROM games_notice GROUP BY state"
        if self.database:
            with psycopg.connect(self.database, application_name="tests") as connection:
                return dict(connection.execute(counts).fetchall())
        with closing(sqlite3.connect(self.data / "souk.sqlite3", timeout=20)) as file:
            return dict(file.execute(counts).fetchall())
