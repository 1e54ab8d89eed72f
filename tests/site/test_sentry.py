"""Where a Sentry is given, errors reach it, and nothing of a player does."""

from __future__ import annotations

import gzip
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import brotli
import pytest

from tests.operate.site_of import command

BREAK = """
import logging
from django.test import Client
from games.services import health
def broken(**_):
    seed = "the-secret-seed"
    logging.getLogger("games").error("no carpet for %s", "the-secret-name")
    raise ValueError("no such carpet: the-secret-address@souk.example")
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
        unpack = {"gzip": gzip.decompress, "br": brotli.decompress}
        encoding = self.headers.get("Content-Encoding")
        self.received.append(unpack[encoding](body) if encoding else body)
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
        "SENTRY_DSN": f"http://key@127.0.0.1:{intake}/1",
        "RELEASE": "0.1.7",
        "ALLOWED_HOSTS": "testserver",
        "HTTPS": "off",
    }
    command("shell", "--no-imports", data=data_folder, text=BREAK, **own)
    sent = b"\n".join(Intake.received)
    parsed = [json.loads(line) for line in sent.splitlines() if line.startswith(b"{")]
    event = next(each for each in parsed if "exception" in each)
    (exception,) = event["exception"]["values"]
    assert exception["type"] == "ValueError"
    assert exception["stacktrace"]["frames"]
    assert event["release"] == "0.1.7"
    assert event["tags"]["request_id"], "the log has the rest, under this"
    told = [each["logentry"]["message"] for each in parsed if "logentry" in each]
    assert "no carpet for %s" in told
    assert b"the-secret" not in sent
