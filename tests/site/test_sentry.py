"""Where a Sentry is given, errors reach it, and nothing of a player does."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests import environment

BREAK = """
from django.test import Client
from games.services import health
def broken(**_):
    seed = "the-secret-seed"
    raise ValueError("no such carpet")
health.check_health = broken
client = Client(raise_request_exception=False)
client.post("/healthz?token=the-secret-token", {"word": "the-secret-word"})
client.get("/healthz?token=the-secret-token", headers={"Cookie": "a=the-secret-cookie"})
import sentry_sdk
sentry_sdk.flush(10)
"""


class Intake(BaseHTTPRequestHandler):
    received: list[bytes] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.received.append(body)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def intake():
    Intake.received = []
    with HTTPServer(("127.0.0.1", 0), Intake) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_an_error_arrives_with_its_code_and_nothing_else(intake: int, data_folder: Path) -> None:
    own = {
        "SOUK_DATA": str(data_folder),
        "SENTRY_DSN": f"http://key@127.0.0.1:{intake}/1",
        "RELEASE": "0.1.7",
        "ALLOWED_HOSTS": "testserver",
        "HTTPS": "off",
    }
    subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports"],
        cwd=environment.ROOT,
        env={**os.environ, **own},
        input=BREAK,
        text=True,
        check=True,
        timeout=120,
        stderr=subprocess.DEVNULL,
    )
    sent = b"\n".join(Intake.received)
    event = next(
        parsed
        for line in sent.splitlines()
        if line.startswith(b"{") and "exception" in (parsed := json.loads(line))
    )
    (exception,) = event["exception"]["values"]
    assert exception["value"] == "no such carpet"
    assert exception["stacktrace"]["frames"]
    assert event["release"] == "0.1.7"
    assert b"the-secret" not in sent
