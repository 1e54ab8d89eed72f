"""The site with bare views beside it, as gunicorn serves them; and what a request takes there."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tools import processes

BARE_INSERT = "/bare/insert/"
CSRF = "b" * 32


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Run by gunicorn: a bare insert knows no middleware, all else comes through the site's."""
    site, plain = _handlers()
    handler = plain if environ["PATH_INFO"].startswith(BARE_INSERT) else site
    answer: Iterable[bytes] = handler(environ, start_response)
    return answer


_made: list[Any] = []


def _handlers() -> list[Any]:
    if not _made:
        from django.conf import settings
        from django.core.handlers.wsgi import WSGIHandler
        from django.test.utils import override_settings
        from django.utils.module_loading import import_string

        settings.ROOT_URLCONF = "tools.benchmarks.plain_django"
        site = import_string(settings.WSGI_APPLICATION)
        with override_settings(MIDDLEWARE=[]):
            plain = WSGIHandler()
        _made.extend((site, plain))
    return _made


@dataclass
class Server:
    port: int
    processes: list[int]
    """Of the server, and of the database that answers it."""

    def milliseconds(self, session: str, address: str, data: dict[str, str] | None = None) -> float:
        """The processors' time that the answer took: others may be at work too."""
        start = self._spent()
        answer = self.ask(session, address, data)
        assert answer.status == 200, (address, answer.status)
        return 1000 * (self._spent() - start)

    def _spent(self) -> float:
        """Once they rest: a server has still to do when its answer is there."""
        rests = 0
        while rests < 3:
            time.sleep(0.002)
            rests = rests + 1 if all(map(processes.is_idle, self.processes)) else 0
        return sum(map(processes.processor_of_threads, self.processes))

    def ask(
        self, session: str, address: str, data: dict[str, str] | None = None
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "Accept-Encoding": "gzip"}
        if data is not None:
            headers |= {"HX-Request": "true", "X-CSRFToken": CSRF}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = None if data is None else urlencode(data)
        connection.request("GET" if data is None else "POST", address, body, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer


@contextmanager
def run_server() -> Iterator[Server]:
    """One worker with one thread, on the database of this process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    variables = {"HOST": "127.0.0.1", "PORT": str(port), "WEB_CONCURRENCY": "1", "WEB_THREADS": "1"}
    command = [sys.executable, "-m", "gunicorn", "--config", "python:marrakech_site.gunicorn"]
    gunicorn = subprocess.Popen(
        [*command, f"{__name__}:application"], env={**os.environ, **variables}
    )
    try:
        server = Server(port, [])
        while not server.processes:
            try:
                server.ask("", "/games/")
                server.processes = [*processes.children(gunicorn.pid), *_backends()]
            except ConnectionError:
                time.sleep(0.2)
        yield server
    finally:
        gunicorn.terminate()
        gunicorn.wait()


def _backends() -> list[int]:
    """Of PostgreSQL: the processes that answer others than this one."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        return [number for (number,) in cursor.fetchall()]
