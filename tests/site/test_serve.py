"""`make run`, as far as it is our own code: real processes, real signals."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.servers import free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[2]
SERVE = [sys.executable, "manage.py", "serve"]


def environment(data: Path, port: int) -> dict[str, str]:
    return {**os.environ, "SOUK_DATA": str(data), "PORT": str(port)}


@contextmanager
def serving(data: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        SERVE, cwd=ROOT, env=environment(data, port), stdout=subprocess.PIPE, text=True
    )
    with started as process:
        try:
            assert process.stdout
            assert f"http://127.0.0.1:{port}" in process.stdout.readline()
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.wait(30)


def health(port: int) -> tuple[int, dict[str, Any]]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def descendants(pid: int) -> list[int]:
    listing = subprocess.check_output(["ps", "-e", "-o", "pid=,ppid="], text=True)
    parents = [tuple(map(int, line.split())) for line in listing.splitlines()]
    found = [child for child, parent in parents if parent == pid]
    return found + [deeper for child in found for deeper in descendants(child)]


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


def test_serves_beats_and_stops_cleanly_and_keeps_its_data(data_folder: Path) -> None:
    port = free_port()
    with serving(data_folder, port) as process:
        status, report = health(port)
        assert (status, report["database"], report["broker"]) == (200, "ok", "ok")
        until = time.monotonic() + 60
        roles = ("sweeps", "mail", "bots")
        while {report[role] for role in roles} != {"ok"} and time.monotonic() < until:
            time.sleep(0.5)
            status, report = health(port)
        assert {report[role] for role in roles} == {"ok"}, "beat or a worker does not run"
        children = descendants(process.pid)
        assert len(children) >= 5
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert not [pid for pid in children if alive(pid)]

    key = data_folder / "secret-key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    drawn = key.read_text()
    with sqlite3.connect(data_folder / "souk.sqlite3") as database:
        assert database.execute("pragma journal_mode").fetchone() == ("wal",)
        (beats,) = database.execute("select count(*) from games_heartbeat").fetchone()
    assert beats == 3

    with serving(data_folder, port):
        assert health(port)[1]["beat_age_seconds"] is not None, "the second start lost data"
    assert key.read_text() == drawn


def test_a_person_at_a_terminal_is_told_where_things_are(data_folder: Path) -> None:
    port = free_port()
    said = b"".join(served_at_a_terminal(data_folder, port)).decode()
    assert f"Souk is open at http://127.0.0.1:{port} " in said
    assert f"Mail is kept at http://127.0.0.1:{port}/mailbox/" in said
    requests = [line for line in said.splitlines() if " GET " in line]
    assert [line.split(" ", 1)[1].rsplit(",")[0] for line in requests] == ["GET /learn/ → 200"]
    assert "{" not in said, "lines for machines"


def served_at_a_terminal(data: Path, port: int) -> Iterator[bytes]:
    """What a terminal shows of a site that is asked for a page and for its health."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        SERVE, cwd=ROOT, env=environment(data, port), stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        shown = b""
        while b"Mail is kept" not in shown:
            shown += os.read(ours, 4096)
        yield shown
        urllib.request.urlopen(f"http://127.0.0.1:{port}/learn/").close()
        health(port)
        yield os.read(ours, 4096)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        os.set_blocking(ours, False)
        with suppress(OSError):  # a terminal that nobody writes to any more has no end, but this
            while rest := os.read(ours, 4096):
                yield rest
        os.close(ours)


def test_a_log_gets_json_lines_and_nothing_else(data_folder: Path) -> None:
    port = free_port()
    log = data_folder / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            SERVE, cwd=ROOT, env=environment(data_folder, port), stdout=file, stderr=file
        )
        try:
            wait_for_port(port, seconds=60)
            urllib.request.urlopen(f"http://127.0.0.1:{port}/learn/").close()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    said = {line["logger"]: line for line in lines}
    assert said["souk.serve"]["message"] == "Closing…"
    assert said["souk.access"]["route"] == "learn/"


@pytest.mark.parametrize("kind", ["sweeps", "mail"])
def test_a_worker_that_dies_is_started_again(data_folder: Path, kind: str) -> None:
    with serving(data_folder, free_port()) as process:
        worker = next(pid for pid in descendants(process.pid) if kind in command_line(pid))
        os.kill(worker, signal.SIGKILL)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            again = [
                pid
                for pid in descendants(process.pid)
                if kind in command_line(pid) and pid != worker and alive(pid)
            ]
            if again and not alive(worker):
                break
            time.sleep(0.2)
        assert again


def command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def test_a_taken_port_gets_one_sentence(data_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = subprocess.run(
            SERVE, cwd=ROOT, env=environment(data_folder, port), capture_output=True, text=True
        )
    assert answer.returncode != 0
    assert f"Port {port} is taken." in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_data_folder_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    obstacle = tmp_path / "file"
    obstacle.touch()
    answer = subprocess.run(
        SERVE, cwd=ROOT, env=environment(obstacle / "data", 1), capture_output=True, text=True
    )
    assert answer.returncode != 0
    assert "cannot be written" in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("target", ["run", "test"])
def test_an_old_python_gets_one_sentence(tmp_path: Path, target: str) -> None:
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\nexit 1\n')
    old.chmod(0o755)
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    for name in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).touch()
    answer = subprocess.run(
        ["make", f"PYTHON={old}", target], cwd=tmp_path, capture_output=True, text=True
    )
    assert answer.returncode != 0
    assert "Souk needs Python 3.11 or newer; this is Python 3.9.2." in answer.stderr
