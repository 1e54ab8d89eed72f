"""The deployment under test, and what is done to it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import psycopg

from tests.chaos.post_office import MoodyPostOffice
from tests.outages.processes import QUIET, Site
from tools import local_servers as servers

APP = ["--app", "marrakech_site"]
AHEAD, BEHIND = 120, -120
"""Seconds by which the clocks of some workers are wrong."""


@dataclass
class Deployment:
    site: Site
    redis: servers.Redis
    post_office: MoodyPostOffice
    children: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    ports: list[int] = field(default_factory=list)
    cuts: list[float] = field(default_factory=list)
    """When processes were killed or connections cut."""

    def open(self) -> None:
        for name in ("web-0", "web-1"):
            self.ports.append(self._web(name, servers.free_port()))
        queues = ("sweeps-right", "sweeps-ahead", "mail-right", "mail-behind", "bots-ahead")
        for name in queues:
            self._worker(name)
        for number in (0, 1):
            self._beat(number)

    def _web(self, name: str, port: int) -> int:
        self.site.more["PORT"] = str(port)
        self.children[name] = self.site.start(
            sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"
        )
        servers.wait_for_port(port)
        return port

    def _worker(self, name: str) -> None:
        queue, _, clock = name.partition("-")
        skew = {"ahead": AHEAD, "behind": BEHIND}.get(clock, 0)
        self.children[name] = self.site.start(
            *(sys.executable, "-m", "tests.chaos.skewed", str(skew)),
            *("--quiet", *APP, "worker", "--pool", "solo", "--queues", queue, *QUIET),
        )

    def _beat(self, number: int) -> None:
        self.children[f"beat-{number}"] = self.site.beat(number)

    def kill(self, name: str) -> None:
        """kill -9, and somebody starts it again."""
        self.cuts.append(time.monotonic())
        self.site.kill(self.children[name])
        kind, _, which = name.partition("-")
        if kind == "web":
            self._web(name, self.ports[int(which)])
        elif kind == "beat":
            self._beat(int(which))
        else:
            self._worker(name)

    def cut_connections(self) -> None:
        """Every connection to PostgreSQL but our own, in the middle of whatever it does."""
        self.cuts.append(time.monotonic())
        with psycopg.connect(self.site.database, autocommit=True) as own:
            own.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'souk' AND datname = current_database()"
            )

    def troubles(self) -> dict[str, Callable[[float], None]]:
        """Each lasts for so many seconds, and is over afterwards."""
        kills = {f"kill {name}": self._killing(name) for name in self.children}
        return {
            **kills,
            "Redis is frozen": self._around(self.redis.freeze, self.redis.thaw),
            "Redis is gone": self._around(self.redis.stop, self.redis.start),
            "the mail server hangs": self._mood("hangs"),
            "the mail server stalls": self._mood("stalls"),
            "the mail server drops connections": self._mood("drops"),
            "the mail server refuses everything": self._mood("refuses"),
            "the mail server is gone": self._around(self.post_office.close, self.post_office.open),
            "connections to PostgreSQL are cut": self._around(self.cut_connections, lambda: None),
        }

    def _killing(self, name: str) -> Callable[[float], None]:
        return lambda seconds: self.kill(name)

    def _around(
        self, begin: Callable[[], None], end: Callable[[], None]
    ) -> Callable[[float], None]:
        def trouble(seconds: float) -> None:
            begin()
            time.sleep(seconds)
            end()

        return trouble

    def _mood(self, mood: str) -> Callable[[float], None]:
        def begin() -> None:
            self.post_office.mood = mood

        def end() -> None:
            self.post_office.mood = "works"

        return self._around(begin, end)
